# The packages are installed in a stage of their own, so that pip and the tests of packages do not reach the image.
FROM python:3.11-slim AS build
RUN python -m venv /opt/venv
COPY requirements/run.txt /tmp/run.txt
RUN /opt/venv/bin/pip install --no-cache-dir --require-hashes -r /tmp/run.txt \
    && /opt/venv/bin/pip uninstall --yes --quiet setuptools pip \
    && find /opt/venv -type d -name tests -prune -exec rm -r {} +

# PostgreSQL's programs for backups come without the scripts around them, which need Perl. They are of the version of
# this Debian, and work with servers up to that one.
FROM python:3.11-slim AS postgresql
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && find /usr/lib/postgresql -type f ! -name pg_dump ! -name pg_restore ! -name psql -delete

FROM python:3.11-slim
# The libraries of these programs.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq5 libreadline8 liblz4-1 libzstd1 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log
COPY --from=postgresql /usr/lib/postgresql /usr/lib/postgresql
RUN useradd --system --uid 10001 --no-create-home pencilbox \
    && install -d -o pencilbox /data
# TMPDIR: SQLite puts large sorts into temporary files, and nothing but /data has to be writable.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TMPDIR=/data \
    PENCILBOX_DATA_DIR=/data \
    PENCILBOX_LOG_FORMAT=json
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY rules rules
COPY render render
COPY db db
COPY bot bot
# The bot runs with a read-only root file system, where Python could not keep its compiled files later.
RUN python -m compileall -q rules render db bot
USER pencilbox
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-m", "bot.health"]
CMD ["python", "-m", "bot"]
