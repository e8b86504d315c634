"""Whether all is well: config, service, camera, pins, pieces, journal, disk, port, power, heat, clock, name, memory.

    examining   all of it in one order: behind `companion doctor`, and behind the page of the machine
    machine     what the machine shows: files of the kernel, given as a root so that tests have others
    service     what the service that runs says of itself
    report      a zip for whoever helps
"""
