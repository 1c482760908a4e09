"""Edits a layer as a person does it with QGIS, and prints what QGIS has afterwards as JSON.

QGIS 3.22 reads OGC API layers only, so its features are written back with its own exporter and its own network requests.
Arguments: the address of /ogc, the personal token, and the edits as JSON: {collection: {id, set, move, add, remove}}.
"""

import json
import sys

from qgis.core import (
    NULL,
    QgsApplication,
    QgsBlockingNetworkRequest,
    QgsFeature,
    QgsGeometry,
    QgsJsonExporter,
    QgsVectorDataProvider,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QByteArray, QUrl
from qgis.PyQt.QtNetwork import QNetworkRequest

base, token, edits = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])


def opened(collection):
    layer = QgsVectorLayer(f"url='{base}' typename='{collection}' username='qgis' password='{token}'", collection, "OAPIF")
    if not layer.isValid():
        raise SystemExit(f"QGIS cannot open {collection}: {layer.error().message()}")
    return layer


def request(path):
    asked = QNetworkRequest(QUrl(f"{base}/collections/{path}"))
    credentials = QByteArray(f"qgis:{token}".encode()).toBase64()
    asked.setRawHeader(b"Authorization", b"Basic " + credentials.data())
    asked.setRawHeader(b"Content-Type", b"application/geo+json")
    return asked


def send(method, path, feature=None, exporter=None):
    sender = QgsBlockingNetworkRequest()
    body = [] if feature is None else [QByteArray(exporter.exportFeature(feature).encode())]
    getattr(sender, method)(request(path), *body)
    reply = sender.reply()
    status = reply.attribute(QNetworkRequest.HttpStatusCodeAttribute)
    return {"status": status, "location": bytes(reply.rawHeader(b"location")).decode() or None, "body": bytes(reply.content()).decode()}


def edited(collection, wish):
    layer = opened(collection)
    exporter = QgsJsonExporter(layer, 15)
    feature = next(one for one in layer.getFeatures() if one.attribute("title") == wish["title"])
    answers = {"same": send("put", f"{collection}/items/{wish['id']}", feature, exporter)}
    for name, value in wish["set"].items():
        feature.setAttribute(name, value)
    if "move" in wish:
        feature.setGeometry(QgsGeometry.fromWkt(wish["move"]))
    answers["put"] = send("put", f"{collection}/items/{wish['id']}", feature, exporter)
    added = QgsFeature(layer.fields())
    for name, value in wish["add"]["set"].items():
        added.setAttribute(name, value)
    added.setGeometry(QgsGeometry.fromWkt(wish["add"]["at"]))
    answers["post"] = send("post", f"{collection}/items", added, exporter)
    answers["delete"] = send("deleteResource", f"{collection}/items/{wish['remove']}")
    return answers


def plain(value):
    return None if value == NULL else value if isinstance(value, (int, float, str, list)) else value.toString()


def shown(collection):
    layer = opened(collection)
    can = layer.dataProvider().capabilities()
    return {
        "isReadOnly": not can & QgsVectorDataProvider.EditingCapabilities,
        "types": {field.name(): field.typeName() for field in layer.fields()},
        "features": [
            {"at": one.geometry().asWkt(6), **{name: plain(one.attribute(name)) for name in layer.fields().names()}}
            for one in layer.getFeatures()
        ],
    }


application = QgsApplication([], False)
application.initQgis()
answers = {collection: edited(collection, wish) for collection, wish in edits.items()}
print(json.dumps({"answers": answers, "layers": {collection: shown(collection) for collection in ["pins", "gcps", "zones"]}}), flush=True)
application.exitQgis()
