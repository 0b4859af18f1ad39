"""Whether the model is shown what the user attached; and what counts as an answer where it is not.

A model that was shown no image may say anything about it. So nothing of it is told but what rests on records,
and the person reads first which model could not look at which image, and why.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from sayso.core.events import Event
from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Provenance
from sayso.core.ports import Model, may_see
from sayso.core.progress import Progress, Task
from sayso.core.prompts import own_text
from sayso.core.step import Step
from sayso.core.verify.report import Judged, Report, Verdict
from sayso.core.verify.rules_images import SPEAKS_OF_IMAGE, asks_of_image
from sayso.errors import ImageRefused

_LONGEST_REASON = 300


async def seen(progress: Progress, step: Step, model: Model) -> AsyncIterator[Event]:
    """The events of a step. Where its images cannot be seen, the model is asked without them.

    Raises ModelError as the step does; ImageRefused only where an answer has begun to be told.
    """
    if progress.has_images and not progress.blind:
        if may_see(model):
            try:
                async for event in step.stream():
                    yield event
                return
            except ImageRefused as refused:
                if step.has_released or not step.request.images:
                    raise
                _look_away(progress, model.name, str(refused))
        else:
            _look_away(progress, model.name, "")
        step.ask_instead(progress.request())
    if progress.unseen:
        step.hold()
    async for event in step.stream():
        yield event


def _look_away(progress: Progress, model: str, why: str) -> None:
    """No image is sent from here on; what the person is told of those that the question is about."""
    progress.blind = True
    names = [n.fact.subject for n in images_meant(progress.task)]
    if names:
        key = "refused" if why else "blind"
        reason = " ".join(why.split())[:_LONGEST_REASON].rstrip(".")
        locale = progress.task.locale
        it = own_text("it" if len(names) == 1 else "them", locale)
        progress.unseen = own_text(key, locale).format(model=model, images=", ".join(names), why=reason, it=it)


def images_meant(task: Task) -> tuple[Numbered, ...]:
    """What a question is about: the images that came with it, or, where it asks of one, the last ones before it."""
    if task.images or not asks_of_image(task.question):
        return task.images
    return next((message.images for message in reversed(task.history) if message.images), ())


def without_image(progress: Progress, report: Report) -> Report:
    """What of a report may count: all of it, or, where an image was not seen, what rests on records alone."""
    if not progress.unseen:
        return report
    return replace(report, sentences=tuple(s for s in report.sentences if _rests_on_records(s, progress.evidence)))


def _rests_on_records(sentence: Judged, evidence: Evidence) -> bool:
    """Another agent was not shown the image either: its words do not count."""
    if sentence.verdict not in (Verdict.SUPPORTED, Verdict.CONTRADICTED) or SPEAKS_OF_IMAGE.search(sentence.text):
        return False
    cited = (evidence.get(ref) for ref in sentence.refs)
    return any(n is not None and vouched_for(n) for n in cited)


def vouched_for(numbered: Numbered) -> bool:
    """Whether it is a record, not what somebody says."""
    return numbered.fact.provenance in (Provenance.OWN, Provenance.REPORTED)
