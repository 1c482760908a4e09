"""Tags of an image by Debian's libapriltag: width and height as arguments, pixels on standard input, JSON out.

The seconds of the detection and the peak memory in megabytes go to standard error.
"""
import json
import resource
import sys
import time

import apriltag
import numpy

width, height = int(sys.argv[1]), int(sys.argv[2])
pixels = numpy.frombuffer(sys.stdin.buffer.read(), numpy.uint8).reshape(height, width)
detector = apriltag.apriltag("tag36h11", threads=1, maxhamming=1, decimate=1.0)
started = time.process_time()
tags = detector.detect(pixels)
print(
    json.dumps({
        "seconds": time.process_time() - started,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }),
    file=sys.stderr,
)
found = [
    {"id": tag["id"], "hamming": tag["hamming"], "margin": tag["margin"], "corners": tag["lb-rb-rt-lt"].tolist()}
    for tag in tags
]
print(json.dumps(found))
