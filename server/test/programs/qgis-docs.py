"""Runs what docs/gis.md says to enter in the Python console of QGIS, with the first ground control point selected.

Arguments: the address of /ogc, the personal token, and the code.
"""

import json
import sys

from qgis.core import QgsApplication, QgsVectorLayer

base, token, code = sys.argv[1:4]
application = QgsApplication([], False)
application.initQgis()
layer = QgsVectorLayer(f"url='{base}' typename='gcps'", "gcps", "OAPIF")
layer.selectByIds([next(layer.getFeatures()).id()])


class Console:
    """What `iface` of a running QGIS has for the code."""

    def activeLayer(self):
        return layer


sys.stdout = sys.stderr
names = {"iface": Console()}
exec(code.replace("http://127.0.0.1:8080/ogc", base).replace("cairn_user_…", token), names)
sys.stdout = sys.__stdout__
print(json.dumps({}), flush=True)
# QGIS crashes if it ends before what refers to it.
names.clear()
del layer
application.exitQgis()
