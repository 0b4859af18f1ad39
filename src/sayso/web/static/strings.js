// Every word of the page, in each of its languages. {0}, {1} are filled in.
const en = {
  skip: "Skip to the conversation", conversations: "Conversations", newConversation: "New conversation",
  proposals: "Proposals", signOut: "Sign out", askLabel: "Ask about your records", send: "Send", stop: "Stop",
  placeholder: "Ask your records …",
  hello: "What would you like to know?",
  helloText: "I answer from your own records and show the source of every claim. Whatever I would change waits for your say-so.",
  examples: ["What is due this week?", "Who is Elena?", "Remind me to call Elena on Friday"],
  model: "Answers by {0}", noThreads: "Your conversations will appear here.",
  sources: "Sources", more: "{0} more", source: "Source {0}: {1}", notRecorded: "not recorded", close: "Close", asOf: "as of {0}",
  used: "used in this answer", provenance_own: "your records", provenance_reported: "reported by an app",
  provenance_second_hand: "another agent’s words", provenance_provided: "what you provided",
  withheld1: "1 sentence was withheld", withheldN: "{0} sentences were withheld", withheldWhy: "Your records do not carry it:",
  unbacked: "not backed by a record", dotted: "Dotted:", unbacked1: "1 sentence is not backed by a record.", unbackedN: "{0} sentences are not backed by a record.",
  why_unsupported: "Your records say nothing for or against it.", why_unattributed: "These are somebody else’s words, told without saying whose.", nearest: "The closest record: {0}.",
  unsupported: "Not in your records", cut: "This answer was cut off.", stopped: "Stopped.", waits: "Waits for the application that asked this.", failed: "This failed before there was an answer. Please ask again.", unreadable: "A part of this exchange is damaged and cannot be shown.", thinking: "Thinking …",
  you: "You", assistant: "Sayso", answered: "The answer is complete.", retry: "Ask again",
  didNot: "{0} did not answer: {1}.", answeredBy: "Answered by {0}.",
  lost: "The connection was lost. The answer is kept in the conversation; reload to see it.",
  approve: "Approve", deny: "Deny", denyWhy: "Why not? (optional)", denySure: "Deny it", cancel: "Cancel",
  approving: "Running …", target: "For", expires: "Waits until {0}",
  details: "Details", action: "Action", record: "Record", receipt: "Receipt", digest: "Fingerprint", openMail: "Open in your mail program",
  "card_workspace.create_commitment": "Commitment: ", "card_workspace.create_follow_up": "Follow-up: ", "card_workspace.create_event": "Event: ",
  "card_workspace.create_note": "Note: ", "card_workspace.check_in": "Check-in: ", "card_workspace.prepare_message": "Message to ",
  "card_workspace.prepare_email": "E-mail to ", "card_workspace.send_email": "E-mail to ", "card_agent.ask": "Ask ",
  outcome_created: "created", outcome_recorded: "recorded", "outcome_already recorded": "already recorded", outcome_sent: "sent", outcome_answered: "answered",
  "outcome_approved, not sent": "approved, not sent", "outcome_approved, not done": "approved, not done",
  "after_approved, not sent": "Nothing was sent. Here is the text, for you to send.", "after_approved, not done": "This is for you to do: there is no action for it here.",
  "after_workspace.create_event": "It is among your events. Nobody was invited.",
  input_counterparty: "with", input_recipient: "to", input_about: "about",
  risk_unbacked: "Neither in your records nor said by you: {0}", risk_not_asked: "Not asked for by you: {0}",
  risk_recipient_unknown: "Not among your contacts: {0}", risk_address_of_other: "This address is recorded for somebody else: {0}",
  risk_address_differs: "Another address than the recorded one: {0}", risk_address_new: "A new address, none of this sort is recorded: {0}",
  risk_money: "Money: {0}", risk_hidden: "Holds hidden characters, shown as ⟨U+…⟩", risk_bidi: "Holds characters that turn the direction of text, shown as ⟨U+…⟩",
  risk_filler: "Holds blanks that are no spaces, shown as ⟨U+…⟩", risk_variation: "Holds variation selectors, shown as ⟨U+…⟩",
  risk_look_alike: "Letters that look like others: {0}", risk_stacked: "Marks piled on one letter", risk_padding: "Long runs of blanks or empty lines",
  risk_long: "A long text: {0} characters", risk_tall: "Many lines: {0}", risk_repeated: "The same was approved already: {0}",
  risk_many: "More changes than you asked for: {0}", risk_target_changed: "The record has changed since this was proposed: {0}", risk_target_gone: "The record is no longer there: {0}",
  before: "before", after: "after", unchanged: "{0} others stay", reasons: "Rests on", steps: "What was done, and by whom", note_filed: "proposed", note_edited: "edited",
  unseen: "Approve works once you have seen the whole change.", unknownHow: "It broke off while it ran. Look whether it happened, then say so; it is not tried again by itself.",
  happened: "It happened", happenedNot: "It did not", lookAgain: "Look again",
  supersede1: "Close the proposal that waits here", supersedeN: "Close the {0} proposals that wait here",
  empty: "(empty)", noProposals: "Nothing here.", loading: "Loading …", download: "Download {0}",
  waitingTitle: "Waiting for you", decidedTitle: "Decided", needsTitle: "Please check",
  proposalsText: "Nothing here happens unless you approve it.",
  attachImage: "Attach an image", attachedImages: "Images for your question", removeImage: "Remove {0}", attachedAs: "Attached image: {0}", pastedImage: "pasted image.png",
  imageAttached: "{0} is attached.", imageRemoved: "{0} is removed.", askImage: "What does this show?",
  blind: "{0} sees no images: the answer will say so, and rest on your records alone.",
  image_other: "{0} is {1}. Choose a PNG, JPEG, GIF or WebP.", aPdf: "a PDF", anSvg: "an SVG drawing",
  otherModel: "Another model answers once this server is started again: sayso models use",
  image_format: "{0} is no image that can be read here. Choose a PNG, JPEG, GIF or WebP.", image_too_large: "{0} is larger than {1} MB. Make it smaller, then attach it.",
  image_too_many: "{0} was not attached: a question may have {1} images.", image_empty: "{0} is empty. Choose another file.", image_damaged: "{0} is damaged. Save it again, then attach it.",
  image_pixels: "{0} has too many pixels. Scale it to 8000 or less a side.", image_lost: "{0} could not be sent. Check the connection, then attach it again.",
  edit: "Edit", save: "Save changes", editTitle: "Edit this proposal", optional: "(optional)", nothing: "(none)", onePerLine: "One a line.",
  edited: "Saved. Read the change, then approve or deny it.",
  fault_required: "Write something here.", fault_date: "Choose a day.", fault_moment: "Choose a day and a time.", fault_number: "Write a whole number.",
  fault_yes_no: "Answer yes or no.", fault_choice: "Choose one of those on offer.", fault_list: "Write one a line.", fault_text: "Write text.",
  fault_too_long: "Write at most {0} characters.", fault_too_small: "Write {0} or more.", fault_too_large: "Write {0} or less.",
  fault_email: "Write one address, such as elena@example.org.", fault_ends_early: "Choose an end after the start.", fault_not_come: "Choose today or an earlier day.",
  fault_far_off: "Choose a day between 1900 and 2200.",
  fault_read_only: "This cannot be changed; deny the proposal and ask for another one.",
  state_pending: "waiting for you", state_approved: "approved", state_executing: "running", state_done: "done",
  state_failed: "failed", state_unknown: "may have run: please check", state_denied: "denied",
  state_expired: "expired", state_superseded: "replaced by a newer one",
};
const de = {
  skip: "Zum Gespräch springen", conversations: "Gespräche", newConversation: "Neues Gespräch",
  proposals: "Vorschläge", signOut: "Abmelden", askLabel: "Frag deine Daten", send: "Senden", stop: "Anhalten",
  placeholder: "Frag deine Daten …",
  hello: "Was möchtest du wissen?",
  helloText: "Ich antworte aus deinen eigenen Daten und zeige zu jeder Aussage die Quelle. Was ich ändern würde, wartet auf dein Ja.",
  examples: ["Was ist diese Woche fällig?", "Wer ist Elena?", "Erinnere mich am Freitag, Elena anzurufen"],
  model: "Es antwortet {0}", noThreads: "Hier erscheinen deine Gespräche.",
  sources: "Quellen", more: "{0} weitere", source: "Quelle {0}: {1}", notRecorded: "nicht erfasst", close: "Schliessen", asOf: "Stand {0}",
  used: "in dieser Antwort verwendet", provenance_own: "deine Daten", provenance_reported: "von einer App gemeldet",
  provenance_second_hand: "Worte eines anderen Agenten", provenance_provided: "von dir mitgegeben",
  withheld1: "1 Satz wurde zurückgehalten", withheldN: "{0} Sätze wurden zurückgehalten", withheldWhy: "Deine Daten tragen das nicht:",
  unbacked: "von keinem Eintrag gedeckt", dotted: "Gepunktet:", unbacked1: "1 Satz ist von keinem Eintrag gedeckt.", unbackedN: "{0} Sätze sind von keinem Eintrag gedeckt.",
  why_unsupported: "Deine Daten sagen nichts dafür und nichts dagegen.", why_unattributed: "Das sind die Worte von jemand anderem, ohne dass es gesagt wird.", nearest: "Der nächste Eintrag: {0}.",
  unsupported: "Nicht in deinen Daten", cut: "Diese Antwort wurde abgeschnitten.", stopped: "Angehalten.", waits: "Wartet auf die Anwendung, die das gefragt hat.", failed: "Das ist gescheitert, bevor es eine Antwort gab. Frag bitte nochmals.", unreadable: "Ein Teil dieses Austauschs ist beschädigt und kann nicht gezeigt werden.", thinking: "Ich überlege …",
  you: "Du", assistant: "Sayso", answered: "Die Antwort ist vollständig.", retry: "Nochmals fragen",
  didNot: "{0} hat nicht geantwortet: {1}.", answeredBy: "Geantwortet hat {0}.",
  lost: "Die Verbindung ist abgebrochen. Die Antwort bleibt im Gespräch; lade die Seite neu.",
  approve: "Genehmigen", deny: "Ablehnen", denyWhy: "Warum nicht? (freiwillig)", denySure: "Ablehnen", cancel: "Abbrechen",
  approving: "Läuft …", target: "Für", expires: "Wartet bis {0}",
  details: "Einzelheiten", action: "Aktion", record: "Eintrag", receipt: "Beleg", digest: "Fingerabdruck", openMail: "Im Mailprogramm öffnen",
  "card_workspace.create_commitment": "Aufgabe: ", "card_workspace.create_follow_up": "Nachfassen: ", "card_workspace.create_event": "Termin: ",
  "card_workspace.create_note": "Notiz: ", "card_workspace.check_in": "Erledigt: ", "card_workspace.prepare_message": "Nachricht an ",
  "card_workspace.prepare_email": "E-Mail an ", "card_workspace.send_email": "E-Mail an ", "card_agent.ask": "Frage an ",
  outcome_created: "angelegt", outcome_recorded: "eingetragen", "outcome_already recorded": "war schon eingetragen", outcome_sent: "gesendet", outcome_answered: "beantwortet",
  "outcome_approved, not sent": "genehmigt, nicht gesendet", "outcome_approved, not done": "genehmigt, nicht getan",
  "after_approved, not sent": "Nichts wurde gesendet. Hier ist der Text, zum Selbersenden.", "after_approved, not done": "Das ist an dir: Hier gibt es keine Aktion dafür.",
  "after_workspace.create_event": "Steht bei deinen Terminen. Niemand wurde eingeladen.",
  risk_unbacked: "Weder in deinen Unterlagen noch von dir gesagt: {0}", risk_not_asked: "Nicht von dir verlangt: {0}",
  risk_recipient_unknown: "Nicht unter deinen Kontakten: {0}", risk_address_of_other: "Diese Adresse gehört jemand anderem: {0}",
  risk_address_differs: "Eine andere Adresse als die erfasste: {0}", risk_address_new: "Eine neue Adresse, bisher ist keine solche erfasst: {0}",
  risk_money: "Geld: {0}", risk_hidden: "Enthält unsichtbare Zeichen, gezeigt als ⟨U+…⟩", risk_bidi: "Enthält Zeichen, die die Schreibrichtung wenden, gezeigt als ⟨U+…⟩",
  risk_filler: "Enthält Leerstellen, die keine Leerzeichen sind, gezeigt als ⟨U+…⟩", risk_variation: "Enthält Variantenzeichen, gezeigt als ⟨U+…⟩",
  risk_look_alike: "Buchstaben, die anderen gleichen: {0}", risk_stacked: "Viele Zeichen auf einem Buchstaben", risk_padding: "Lange Leerräume oder viele leere Zeilen",
  risk_long: "Ein langer Text: {0} Zeichen", risk_tall: "Viele Zeilen: {0}", risk_repeated: "Dasselbe wurde schon genehmigt: {0}",
  risk_many: "Mehr Änderungen, als du verlangt hast: {0}", risk_target_changed: "Der Eintrag wurde seither geändert: {0}", risk_target_gone: "Der Eintrag ist nicht mehr da: {0}",
  before: "vorher", after: "nachher", unchanged: "{0} weitere bleiben", reasons: "Stützt sich auf", steps: "Was getan wurde, und von wem", note_filed: "vorgeschlagen", note_edited: "bearbeitet",
  unseen: "Genehmigen geht, sobald du die ganze Änderung gesehen hast.", unknownHow: "Es brach mittendrin ab. Schau nach, ob es geschehen ist, und sag es hier; von selbst wird es nicht wiederholt.",
  happened: "Es ist geschehen", happenedNot: "Es ist nicht geschehen", lookAgain: "Nochmals nachsehen",
  supersede1: "Den Vorschlag schliessen, der hier wartet", supersedeN: "Die {0} Vorschläge schliessen, die hier warten",
  empty: "(leer)", noProposals: "Hier ist nichts.", loading: "Lädt …", download: "{0} herunterladen",
  waitingTitle: "Wartet auf dich", decidedTitle: "Entschieden", needsTitle: "Bitte prüfen",
  proposalsText: "Nichts davon geschieht, ohne dass du es genehmigst.",
  attachImage: "Ein Bild anhängen", attachedImages: "Bilder zu deiner Frage", removeImage: "{0} entfernen", attachedAs: "Angehängtes Bild: {0}", pastedImage: "eingefügtes Bild.png",
  imageAttached: "{0} ist angehängt.", imageRemoved: "{0} ist entfernt.", askImage: "Was ist darauf zu sehen?",
  blind: "{0} sieht keine Bilder: Die Antwort sagt es dann und stützt sich nur auf deine Daten.",
  image_other: "{0} ist {1}. Nimm ein PNG, JPEG, GIF oder WebP.", aPdf: "ein PDF", anSvg: "eine SVG-Zeichnung",
  otherModel: "Ein anderes Modell antwortet, sobald dieser Server neu gestartet ist: sayso models use",
  image_format: "{0} ist kein Bild, das sich hier lesen lässt. Nimm ein PNG, JPEG, GIF oder WebP.", image_too_large: "{0} ist grösser als {1} MB. Verkleinere es und häng es dann an.",
  image_too_many: "{0} wurde nicht angehängt: Eine Frage darf {1} Bilder haben.", image_empty: "{0} ist leer. Wähle eine andere Datei.", image_damaged: "{0} ist beschädigt. Sichere es neu und häng es dann an.",
  image_pixels: "{0} hat zu viele Bildpunkte. Verkleinere es auf höchstens 8000 je Seite.", image_lost: "{0} liess sich nicht senden. Prüf die Verbindung und häng es noch einmal an.",
  kind_attached_image: "Angehängtes Bild", field_format: "Format", field_size: "Grösse",
  edit: "Bearbeiten", save: "Änderungen sichern", editTitle: "Diesen Vorschlag bearbeiten", optional: "(freiwillig)", nothing: "(nichts)", onePerLine: "Je Zeile eines.",
  edited: "Gesichert. Lies die Änderung, dann genehmige sie oder lehne sie ab.",
  fault_required: "Schreib hier etwas.", fault_date: "Wähle einen Tag.", fault_moment: "Wähle Tag und Uhrzeit.", fault_number: "Schreib eine ganze Zahl.",
  fault_yes_no: "Antworte mit Ja oder Nein.", fault_choice: "Wähle etwas aus der Liste.", fault_list: "Schreib je Zeile eines.", fault_text: "Schreib Text.",
  fault_too_long: "Schreib höchstens {0} Zeichen.", fault_too_small: "Schreib {0} oder mehr.", fault_too_large: "Schreib {0} oder weniger.",
  fault_email: "Schreib eine Adresse, etwa elena@example.org.", fault_ends_early: "Wähle ein Ende nach dem Beginn.", fault_not_come: "Wähle heute oder einen früheren Tag.",
  fault_far_off: "Wähle einen Tag zwischen 1900 und 2200.",
  fault_read_only: "Das bleibt, wie es ist; lehne den Vorschlag ab und bitte um einen anderen.",
  input_title: "Titel", input_due: "fällig", input_counterparty: "mit", input_notes: "Notizen", input_starts: "Beginn", input_ends: "Ende", input_place: "Ort",
  input_attendees: "Gäste", input_text: "Text", input_about: "über", input_habit: "Gewohnheit", input_day: "Tag", input_recipient: "an",
  input_check_ins: "Tage", input_channel: "Kanal", input_address: "Adresse", input_subject: "Betreff", input_agent: "Agent", input_question: "Frage",
  kind_person: "Person", kind_project: "Projekt", kind_goal: "Ziel", kind_habit: "Gewohnheit", kind_commitment: "Aufgabe", kind_event: "Termin",
  kind_passage: "Notiz", kind_lookup: "Suche", kind_proposal: "Vorschlag", kind_receipt: "Beleg",
  field_name: "Name", field_affiliation: "bei", field_role: "Rolle", field_channels: "erreichbar", field_how_met: "kennengelernt", field_last_interaction: "letzter Kontakt",
  field_birthday: "Geburtstag", field_notes: "Notizen", field_status: "Stand", field_stack: "Technik", field_description: "Beschreibung", field_log: "Neuestes",
  field_updated: "geändert", field_title: "Titel", field_progress: "Fortschritt", field_target_date: "Zieltag", field_parent: "Teil von", field_frequency: "wie oft",
  field_streak: "Serie", field_last_check_in: "zuletzt", field_check_ins: "Tage", field_done_today: "heute getan", field_due: "fällig", field_counterparty: "mit",
  field_starts: "Beginn", field_ends: "Ende", field_place: "Ort", field_attendees: "Gäste", field_heading: "Abschnitt", field_excerpt: "Auszug", field_date: "Datum",
  field_tags: "Schlagworte", field_path: "Datei", field_query: "gesucht", field_matched: "gefunden", field_searched: "durchsucht", field_covers: "Art", field_tool: "Werkzeug",
  field_arguments: "Angaben", field_as_of: "Stand", field_state: "Stand", field_action: "Aktion", field_target: "Eintrag", field_details: "Einzelheiten",
  field_expires: "gilt bis", field_outcome: "Ergebnis", field_done_at: "ausgeführt",
  state_pending: "wartet auf dich", state_approved: "genehmigt", state_executing: "läuft", state_done: "erledigt",
  state_failed: "fehlgeschlagen", state_unknown: "vielleicht ausgeführt: bitte prüfen", state_denied: "abgelehnt",
  state_expired: "abgelaufen", state_superseded: "durch einen neueren ersetzt",
};
export const locale = document.documentElement.lang === "de" ? "de" : "en";
const words = locale === "de" ? de : en;
export const t = (key, ...values) => {
  const text = words[key] ?? en[key] ?? key;
  return typeof text === "string" ? text.replace(/\{(\d)\}/g, (_, i) => values[i] ?? "") : text;
};
// The name of an input or a value, in the page's language where it is one of ours.
export const label = (name) => words[`input_${name}`] ?? name.replaceAll("_", " ");
// What a record's kind and its fields are called: in the page's language where they are ours, else as they are declared.
export const kindTitle = (fact) => words[`kind_${fact.kind}`] ?? fact.title;
export const fieldTitle = (fact, name) => (words[`kind_${fact.kind}`] && words[`field_${name}`]) ?? fact.labels[name] ?? name;
// A card's title: its first words are ours and said in the page's language, the rest is what was filed.
export const titled = (action, title) => {
  const ours = en[`card_${action}`];
  return ours && title.startsWith(ours) ? `${t(`card_${action}`)}${title.slice(ours.length)}` : title;
};
const place = locale === "de" ? "de-CH" : "en-GB";
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;
// A whole ISO day or time as people say it, with its weekday and its own clock, whatever zone the reader is in; "" for other text.
export const inWords = (text) => {
  const [, day, clock, zone] = text.match(ISO) ?? [];
  const moment = day ? new Date(`${day}T${clock ?? "00:00"}Z`) : NaN;
  if (!day || Number.isNaN(moment.getTime())) return "";
  const shown = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
  const elsewhere = ["Z", "+00:00"].includes(zone) && moment.getTimezoneOffset() !== 0 ? " UTC" : "";
  return moment.toLocaleString(place, clock ? { ...shown, hour: "2-digit", minute: "2-digit" } : shown) + elsewhere;
};
export const when = (iso) => {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : moment.toLocaleString(place, { dateStyle: "medium", timeStyle: "short" });
};
