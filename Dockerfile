FROM python:3.11-slim AS build
RUN python -m venv /opt/venv
COPY requirements/run.txt /tmp/run.txt
RUN /opt/venv/bin/pip install --no-cache-dir --require-hashes -r /tmp/run.txt

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home pencilbox \
    && install -d -o pencilbox /data
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PENCILBOX_DATA_DIR=/data \
    PENCILBOX_LOG_FORMAT=json
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY rules rules
COPY render render
COPY db db
COPY bot bot
RUN python -m compileall -q rules render db bot
USER pencilbox
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-m", "bot.health"]
CMD ["python", "-m", "bot"]
