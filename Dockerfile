# One image for nodes (scrapyd), the scheduler and an operator's commands.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
# machine code (extractors/kernels) is for the egg; what makes it stays behind in this stage
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev
# a node runs what was deployed to it: the project itself is not installed beside its egg, only what it depends on
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements/image.txt \
 && /venv/bin/python setup.py -q bdist_egg -d /egg \
 && /venv/bin/pip uninstall --yes cython \
 && mv /egg/*.egg /egg/topicrawl.egg

FROM python:3.11-slim
# what it may write: a node's and the scheduler's folder, and that of commands which keep something between two runs
RUN useradd --uid 10001 --create-home topicrawl \
 && mkdir -p /var/lib/topicrawl /app/data \
 && chown topicrawl /var/lib/topicrawl /app/data
COPY --from=build /venv /venv
COPY --from=build /egg /egg
COPY . /app
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    NODE_DIR=/var/lib/topicrawl/nodes \
    NODE_EGG=/egg/topicrawl.egg
USER topicrawl
WORKDIR /app
CMD ["python", "/app/deploy/node.py"]
