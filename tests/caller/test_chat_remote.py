"""`sayso chat --url` as a process, with the services elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from caller_services import TOKEN, Services, calls, says
from made_images import png

REMIND = ("propose_action", {"action": "add_reminder", "about": "Call Elena"})


def chat(url: str, typed: str, *more: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "from sayso.cli.main import main; main()",
        "chat",
        "--url",
        url,
        "--token",
        token,
        *more,
    ]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=240, check=False)


def test_reads_run_without_asking_and_the_answer_is_printed(services: Services, url: str) -> None:
    services.script = [calls(("search_people", {"query": "Elena"})), says("Elena is here.")]
    ended = chat(url, "Who is Elena?\n\n")
    assert ended.returncode == 0, ended.stderr
    assert "Elena is here." in ended.stdout
    assert len(services.called) == 1


def test_b23_a_write_waits_where_nobody_can_be_asked(services: Services, url: str) -> None:
    services.script = [calls(REMIND), says("Queued.")]
    ended = chat(url, "remind me\n\n")
    assert "It waits" in ended.stdout, ended.stderr
    assert services.decisions == []


def test_a_person_decides_on_each_write(services: Services, url: str) -> None:
    services.script = [calls(REMIND), says("Done."), calls(REMIND), says("Left.")]
    ended = chat(url, "remind me\ny\nagain\nn\nnot now\n\n", "--approve-from-pipe")
    assert [what for what, _ in services.decisions] == ["approve", "deny"], ended.stderr
    assert services.decisions[1][1] == {"words": "not now"}


def test_what_goes_wrong_is_said_with_its_code(services: Services, url: str) -> None:
    assert "signed_out" in chat(url, "a\n\n", token="old").stderr
    wrong = chat("nonsense", "a\n\n")
    assert (wrong.returncode, "no address of a service" in wrong.stderr) == (1, True)


def test_a_service_that_is_not_there_is_named_by_its_flag(services: Services, url: str) -> None:
    told = chat(f"{url}/nothing", "Who is Elena?\n\n").stderr
    assert "needs --inference URL and --workspace URL" in told
    services.script = [says("Elena is here.")]
    ended = chat(url, "Who is Elena?\n/quit\nand Marco?\n\n", "--inference", url, "--workspace", url)
    assert "Elena is here." in ended.stdout, ended.stderr
    assert len(services.chats) == 1


def test_help_images_and_a_stored_conversation_are_as_in_the_local_chat(
    services: Services, url: str, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(png(4, 3))
    services.script = [says("A picture."), says("Still Elena.")]
    first = chat(url, f"/help\n/nonsense\n/image {tmp_path}/a.png\nWhat is this?\n\n")
    assert "/image FILE attaches" in first.stderr
    assert "There is no command /nonsense" in first.stderr
    assert [name for name, _ in services.attached] == ["a.png"]
    assert services.chats[0]["attachments"] == [f"{1:064x}"]
    thread = re.search(r"--thread (\S+)", first.stderr)[1]  # type: ignore[index]
    again = chat(url, "And now?\n\n", "--thread", thread)
    assert "Still Elena." in again.stdout, again.stderr
    assert services.chats[1]["thread_id"] == thread
    assert services.chats[1]["history"]
    missing = chat(url, "", "--thread", "nothing")
    assert (missing.returncode, missing.stdout) == (1, "")
