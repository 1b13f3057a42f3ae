"""A release every Monday, by Airflow: a task that fails is not tried again behind your back."""

from datetime import UTC, datetime

from airflow.sdk import dag, task

PUBLISH = (
    "covey publish people.csv --schema people.toml --system rank-blocks --columns age,income "
    "--epsilon 0.5 --ledger people.ledger --require pure-dp --output releases/{{ ds }} --json"
)


@dag(schedule="0 2 * * MON", start_date=datetime(2026, 1, 5, tzinfo=UTC), catchup=False)
def weekly_release() -> None:
    """Publish, then hold the folder against its ledger."""

    # A second try would pay a second time if the first one was seen: look before you clear it.
    @task.bash(retries=0)
    def publish() -> str:
        return PUBLISH

    @task.bash(retries=0)
    def check() -> str:
        return "covey check releases/{{ ds }} --ledger people.ledger --json"

    publish() >> check()


weekly_release()
