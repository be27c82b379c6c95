"""docker-compose.yml run for real with podman, on a machine that reaches no registry of images."""
