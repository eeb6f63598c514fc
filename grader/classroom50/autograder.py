"""autograder.py: Classroom 50 runs this for each submission, in the student's checkout, with what lies beside it.

The kit's grader judges the kernel.cu that it finds there and writes Gradescope's results.json; that becomes result.json
(classroom50/result/v1) and release-body.md. Where the grader does not come to a grade, the machine's fault, the exit status
is not 0: then Classroom 50 reports an error of the infrastructure, and the submission can be graded again.

Beside it: lab (one line), policy.ini if there is one, and kit (one line: the address of the kit's repository and a commit).
Without kit the checkout is a student's kit, which has compiled references and no grader: its own report is taken, unguarded.
In the environment: KIT, where the kit is built (/opt/gpu-performance-labs); if it is not there it is fetched and built."""

import datetime
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = Path.cwd()
KIT = Path(os.environ.get("KIT", "/opt/gpu-performance-labs"))
GRADE = Path(os.environ.get("BUILD", "build")) / "bin/grade"


def run(*command, cwd=None):
    subprocess.run([str(word) for word in command], check=True, cwd=cwd, stdout=sys.stderr)


def kit_built(lab):
    """The folder of the kit: the image's, or one that is made now."""
    if (KIT / GRADE).is_file():
        return KIT
    address, commit = (HERE / "kit").read_text(encoding="utf-8").split()
    folder = Path(tempfile.mkdtemp(prefix="kit-"))
    run("git", "clone", "--quiet", address, folder)
    run("git", "checkout", "--quiet", "--detach", commit, cwd=folder)
    run("make", "setup", cwd=folder)
    run("make", lab, "DEVICE=sim", cwd=folder)
    run("make", GRADE, "grade-programs", f"LAB={lab}", cwd=folder)
    return folder


def grade(lab):
    """Gradescope's results.json of this submission; None: there is no grade."""
    kit = kit_built(lab)
    with tempfile.TemporaryDirectory(prefix="grades-") as out:
        results = Path(out) / "results.json"
        policy = HERE / "policy.ini"
        command = [GRADE, "--lab", lab, "--submissions", CHECKOUT, "--student", os.environ.get("OWNER", "student"),
                   "--out", Path(out) / "out", "--results", results, "--quiet"]
        if policy.is_file():
            command += ["--policy", policy]
        command += shlex.split(os.environ.get("GRADE_OPTIONS", ""))
        subprocess.run([str(word) for word in command], cwd=kit, check=False, stdout=sys.stderr)
        return json.loads(results.read_text(encoding="utf-8")) if results.is_file() else None


def own_report(lab):
    """The same of a student's kit, by report.json: the kernel's host code could have written it, so it is feedback alone."""
    report = CHECKOUT / "build" / lab / "report.json"
    run(CHECKOUT / "common/ci/judge-push", "build")
    said = subprocess.run([CHECKOUT / "common/ci/judge-push"], env={**os.environ, "LAB": lab}, check=False, text=True,
                          stdout=subprocess.PIPE).stdout
    if not report.is_file():
        return None
    found = json.loads(report.read_text(encoding="utf-8"))
    tests = [{"name": goal["name"], "max_score": goal["max"], "score": goal["points"], "output": ""}
             for goal in found["goals"]]
    return {"tests": tests, "score": found["score"]["points"], "extra_data": {"max": found["score"]["max"]}, "output": said}


def whole(points, most):
    """Points as a whole number, none above the maximum: Classroom 50 has no others."""
    return max(0, min(int(points + 0.5), most))


def tests_of(results, lab):
    tests = []
    for test in results["tests"]:
        most = int(test["max_score"] + 0.5)
        score = whole(test["score"], most)
        tests.append({"test-name": test["name"], "passed": most > 0 and score == most, "score": score,
                      "max-score": most, "output": test["output"]})
    return tests or [{"test-name": lab, "passed": False, "score": 0, "max-score": 0, "output": ""}]


def main():
    lab = (HERE / "lab").read_text(encoding="utf-8").strip()
    results = grade(lab) if (HERE / "kit").is_file() else own_report(lab)
    if results is None:
        print("Not graded, and not the student's fault: see above. Grade this submission again.", file=sys.stderr)
        return 1
    most = int(results["extra_data"]["max"] + 0.5)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    env = os.environ
    result = {
        "schema": "classroom50/result/v1",
        "classroom": env["CLASSROOM"],
        "assignment": env["ASSIGNMENT"],
        "submission": env["SUBMISSION_TAG"],
        "commit": env["COMMIT_URL"],
        "release": env["RELEASE_URL"],
        "review": env.get("REVIEW_URL") or env["COMMIT_URL"],
        "datetime": now,  # the runner puts the commit's own time here
        "score": whole(results["score"], most),
        "max-score": most,
        "tests": tests_of(results, lab),
    }
    fence = "`" * 8  # longer than any in the text: it is quoted, whatever it holds
    body = results["output"].replace(fence, "")
    (CHECKOUT / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    (CHECKOUT / "release-body.md").write_text(f"{fence}text\n{body}\n{fence}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
