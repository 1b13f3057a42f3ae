#!/bin/sh
# Run by cron, once a night: 15 2 * * * /srv/survey/nightly.sh
# It ends with the exit code of the first command that fails, and cron sends what it says by mail.
set -eu
cd "$(dirname "$0")"
export COVEY_LEDGER=people.ledger COVEY_LOG=covey.log COVEY_REQUIRE=pure-dp

out="releases/$(date +%Y-%m-%d)"
covey -q check people.csv people.toml
covey -q publish people.csv --schema people.toml --system rank-blocks --columns age,income \
  --epsilon 0.5 --output "$out"
covey -q check "$out" --ledger "$COVEY_LEDGER"
