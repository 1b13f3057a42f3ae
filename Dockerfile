# Covey as a command, for a user without rights and a file system that is read only:
#   docker build -t covey .
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/work" --user "$(id -u)" covey publish …
FROM python:3.13-slim AS built
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m venv /covey && /covey/bin/pip install --no-cache-dir .

FROM python:3.13-slim
COPY --from=built /covey /covey
ENV PATH=/covey/bin:$PATH PYTHONDONTWRITEBYTECODE=1 NUMBA_CACHE_DIR=/tmp/numba
RUN useradd --no-create-home --uid 10001 covey
USER 10001
WORKDIR /work
ENTRYPOINT ["covey"]
CMD ["--help"]
