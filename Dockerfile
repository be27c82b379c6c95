# One image for nodes (scrapyd), the scheduler and the commands of operators.
FROM python:3.11.13-slim-bookworm@sha256:86adf8dbadc3d6e82ee5dd2c74bec2e1c2467cdad47886280501df722372d2e1 AS build
WORKDIR /src
# the compiler builds the extension of extractors/kernels and is not part of the final image
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev
COPY requirements/image.txt requirements/
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements/image.txt
COPY . .
# a node runs what was deployed to it: the project itself is not installed beside its egg, only what it depends on
RUN /venv/bin/python setup.py -q bdist_egg -d /egg \
 && /venv/bin/pip uninstall --yes cython pip \
 && find /venv -type d \( -name tests -o -name test \) -prune -exec rm -r {} + \
 && mv /egg/*.egg /egg/topicrawl.egg

FROM python:3.11.13-slim-bookworm@sha256:86adf8dbadc3d6e82ee5dd2c74bec2e1c2467cdad47886280501df722372d2e1
# the folders that containers may write to: of nodes and the scheduler, and of commands
RUN useradd --uid 10001 --create-home topicrawl \
 && mkdir -p /var/lib/topicrawl /app/data /srv/topicrawl \
 && chown topicrawl /var/lib/topicrawl /app/data /srv/topicrawl
COPY --from=build /venv /venv
COPY --from=build /egg /egg
COPY . /app
# commands run from /app, nodes from the egg: both use the compiled extension
COPY --from=build /src/build/lib*/extractors/kernels/*.so /app/extractors/kernels/
# a folder to work in, for the one container that crawls, analyses and shows
RUN cd /app && setpriv --reuid=topicrawl /venv/bin/python -m crawler.new_folder init /srv/topicrawl
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    NODE_DIR=/var/lib/topicrawl/nodes \
    NODE_EGG=/egg/topicrawl.egg
USER topicrawl
WORKDIR /app
CMD ["python", "/app/deploy/node.py"]
