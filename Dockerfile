# reqcli in a small container that doesn't run as root. WHEEL is the file that `make dist` makes, in this folder:
#   docker build --build-arg WHEEL=reqcli-0.1.0-py3-none-manylinux_2_34_x86_64.whl -t reqcli .
#   docker run --rm -v "$PWD:/work" reqcli check --stub
FROM debian:12-slim
ARG WHEEL
COPY ${WHEEL} /tmp/
# A wheel is a zip file: the program and its libcurl are unpacked without Python staying behind.
RUN apt-get update -qq \
    && apt-get install -qq -y --no-install-recommends ca-certificates unzip \
    && unzip -q /tmp/reqcli-*.whl -d /tmp/wheel \
    && install -D -m 755 /tmp/wheel/reqcli-*.data/scripts/reqcli /usr/local/bin/reqcli \
    && cp -r /tmp/wheel/reqcli-*.data/data/. /usr/local/ \
    && rm -r /tmp/wheel /tmp/reqcli-*.whl \
    && apt-get purge -qq -y unzip && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 reqcli
USER reqcli
WORKDIR /work
ENTRYPOINT ["reqcli"]
