# The README's two commands in a container: docker build -t labs . && docker run -it labs
# Any image of common/tools/distributions will do, for amd64 or arm64: docker build --build-arg IMAGE=ubuntu:24.04 .
# .github/workflows/image.yml publishes it for both.
# `make test-distributions` runs these very lines where there is no Docker.
ARG IMAGE=debian:12

# What the README takes for granted.
FROM ${IMAGE} AS bare
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git make

FROM bare
COPY . /labs
WORKDIR /labs
RUN make setup lab1
# Another clone, as a dev container has it, takes this compiler.
ENV CUDA_HOME=/labs/.toolkit/nvidia/cu13
CMD ["bash"]
