"""Tags of an image by Debian's libapriltag: width and height as arguments, pixels on standard input, JSON out."""
import json
import sys

import apriltag
import numpy

width, height = int(sys.argv[1]), int(sys.argv[2])
pixels = numpy.frombuffer(sys.stdin.buffer.read(), numpy.uint8).reshape(height, width)
detector = apriltag.apriltag("tag36h11", threads=1, maxhamming=1, decimate=1.0)
found = [
    {"id": tag["id"], "hamming": tag["hamming"], "margin": tag["margin"], "corners": tag["lb-rb-rt-lt"].tolist()}
    for tag in detector.detect(pixels)
]
print(json.dumps(found))
