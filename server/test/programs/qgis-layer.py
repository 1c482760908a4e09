"""Reads a layer with QGIS and prints what it has as JSON: its fields with their types, the count it says, and each feature's values.

Arguments: the source of the layer, the data provider, and the names of the fields whose values are wanted.
"""

import json
import sys

from qgis.core import NULL, QgsApplication, QgsVectorLayer


def plain(value):
    return None if value == NULL else value


def read(source, provider, names):
    layer = QgsVectorLayer(source, "layer", provider)
    if not layer.isValid():
        raise SystemExit(f"QGIS cannot open {source}: {layer.error().message()}")
    features = [[plain(feature[name]) for name in names] for feature in layer.getFeatures()]
    first = next(layer.getFeatures(), None)
    return {
        "fields": {field.name(): field.typeName() for field in layer.fields()},
        "count": layer.featureCount(),
        "features": features,
        "first": first.geometry().asWkt(3) if first else None,
    }


application = QgsApplication([], False)
application.initQgis()
# Delete the layer before the application ends, which would crash otherwise.
print(json.dumps(read(sys.argv[1], sys.argv[2], sys.argv[3:])), flush=True)
application.exitQgis()
