/** What the service finds in the rows of a file, with `*` for values. */
export const findingTexts: Record<string, string> = {
  'Nothing was imported: *': 'Nichts wurde importiert: {…1}',
  '* of * rows failed; first: row * (line *): *':
    '{1} von {2} Zeilen sind fehlgeschlagen, zuerst Zeile {3} (Dateizeile {4}): {…5}',
  'the row has no title': 'Die Zeile hat keinen Titel',
  'title * is already used in row *': 'Den Titel {1} hat schon Zeile {2}',
  'latitude * is outside -90..90': 'Die Breite {1} liegt nicht zwischen −90 und 90',
  'latitude * is outside -90..90: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed':
    'Die Breite {1} liegt nicht zwischen −90 und 90: Bei Metern eines Gitters nennen Sie die Spalten easting und northing und das Bezugssystem in einer Zeile wie EPSG:25833; gepackte Grade und Minuten importieren Sie mit angles=dms-packed',
  'longitude * is outside -180..180': 'Die Länge {1} liegt nicht zwischen −180 und 180',
  'longitude * is outside -180..180: write * if it counts to 360':
    'Die Länge {1} liegt nicht zwischen −180 und 180: Schreiben Sie {2}, falls sie bis 360 zählt',
  'longitude * is outside -180..180: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed':
    'Die Länge {1} liegt nicht zwischen −180 und 180: Bei Metern eines Gitters nennen Sie die Spalten easting und northing und das Bezugssystem in einer Zeile wie EPSG:25833; gepackte Grade und Minuten importieren Sie mit angles=dms-packed',
  '* is empty': '{1} ist leer',
  '* is not a number: write figures only, such as *': '{1} ist keine Zahl: Schreiben Sie nur Ziffern, etwa {2}',
  '* can be * or *: write one of these': '{1} kann {2} oder {3} sein: Schreiben Sie eines davon',
  '* has a decimal comma, which the other numbers of the file do not use: write *':
    '{1} hat ein Dezimalkomma, das die übrigen Zahlen der Datei nicht verwenden: Schreiben Sie {2}',
  '* has a decimal point, which the other numbers of the file do not use: write *':
    '{1} hat einen Dezimalpunkt, den die übrigen Zahlen der Datei nicht verwenden: Schreiben Sie {2}',
  '* is the error of a formula: correct it in the sheet, or write the height or nothing':
    '{1} ist der Fehler einer Formel: Korrigieren Sie ihn in der Tabelle, oder schreiben Sie die Höhe oder nichts',
  '* is the error of a formula: correct it in the sheet, or write the number':
    '{1} ist der Fehler einer Formel: Korrigieren Sie ihn in der Tabelle, oder schreiben Sie die Zahl',
  '* is not an angle: write it as in *': '{1} ist kein Winkel: Schreiben Sie ihn wie in {2}',
  '* has no letter, which the other rows have: write N or S beside it':
    '{1} hat keinen Buchstaben, anders als die übrigen Zeilen: Schreiben Sie N oder S dazu',
  '* has no letter, which the other rows have: write E or W beside it':
    '{1} hat keinen Buchstaben, anders als die übrigen Zeilen: Schreiben Sie E oder W dazu',
  'aprilTagId * is outside *..*': 'aprilTagId {1} liegt nicht zwischen {2} und {3}',
  'aprilTagId * is not a whole number': 'aprilTagId {1} ist keine ganze Zahl',
  'AprilTag * is already carried by row * nearby: write a tag that no point within * m has, or none':
    'AprilTag {1} gehört schon zu Zeile {2} in der Nähe: Schreiben Sie einen Tag, den im Umkreis von {3} m kein Punkt hat, oder keinen',
  'AprilTag * is already carried by * nearby: write a tag that no point within * m has, or none':
    'AprilTag {1} gehört schon zu {2} in der Nähe: Schreiben Sie einen Tag, den im Umkreis von {3} m kein Punkt hat, oder keinen',
  'gcpType * is neither SINGLE nor MULTI': 'gcpType {1} ist weder SINGLE noch MULTI',
  '* photos, * are allowed': '{1} Fotos, {2} sind erlaubt',
  '* is not an http or https address: write the address of the photo, or give the column another name if it has names of files':
    '{1} ist keine http- oder https-Adresse: Schreiben Sie die Adresse des Fotos, oder benennen Sie die Spalte um, falls sie Dateinamen enthält',
  '* is * characters long, * are allowed': '{1} hat {2} Zeichen, {3} sind erlaubt',
  'the row has * fields, but * are expected: put a text that holds the delimiter in quotes, and where commas part the fields write decimals with a point':
    'Die Zeile hat {1} Felder, erwartet werden {2}: Setzen Sie Texte mit dem Trennzeichen in Anführungszeichen, und schreiben Sie bei Kommas als Trennzeichen Dezimalpunkte',
  'the row has * field, but * are expected: *':
    'Die Zeile hat {1} Feld, erwartet werden {2}: Schreiben Sie zu jeder Spalte einen Wert, notfalls einen leeren',
  'the row has * fields, but * are expected: give each header a value, empty if necessary':
    'Die Zeile hat {1} Felder, erwartet werden {2}: Schreiben Sie zu jeder Spalte einen Wert, notfalls einen leeren',
  'the point is at latitude *, longitude *, outside its zone: check the reference system if that is not its place':
    'Der Punkt liegt bei Breite {1}, Länge {2} außerhalb seiner Zone: Prüfen Sie das Bezugssystem, falls er dort nicht wirklich liegt',
  'the point is at latitude *, longitude *, * km from the other points of the file: check its coordinates':
    'Der Punkt liegt bei Breite {1}, Länge {2}, {3} km von den übrigen Punkten der Datei entfernt: Prüfen Sie die Koordinaten',
  'the coordinates are swapped: with * as * and * as * the point is at latitude *, longitude *, inside the area of *; exchange the two columns':
    'Die Koordinaten sind vertauscht: Mit {1} als {2} und {3} als {4} liegt der Punkt bei Breite {5}, Länge {6} im Gebiet von {7}; tauschen Sie die beiden Spalten',
  'the coordinates are swapped: with * as * and * as * the point is at latitude *, longitude *, where it belongs; exchange the two columns':
    'Die Koordinaten sind vertauscht: Mit {1} als {2} und {3} als {4} liegt der Punkt an seinem Ort bei Breite {5}, Länge {6}; tauschen Sie die beiden Spalten',
  'the coordinates were swapped: * is * and * is *': 'Die Koordinaten wurden getauscht: {1} ist {2}, und {3} ist {4}',
  'the coordinates give no position on earth, outside the area of *: check the reference system of the file, and that the coordinates are in its unit':
    'Die Koordinaten ergeben keine Position auf der Erde: Prüfen Sie das Bezugssystem der Datei, und ob die Koordinaten in seiner Einheit sind',
  'the coordinates give latitude *, longitude *, outside the area of *: check the reference system of the file, and that the coordinates are in its unit':
    'Die Koordinaten ergeben Breite {1}, Länge {2}, außerhalb des Gebiets von {3}: Prüfen Sie das Bezugssystem der Datei, und ob die Koordinaten in seiner Einheit sind',
  'the row names no reference system for its grid coordinates':
    'Die Zeile nennt kein Bezugssystem für ihre Gitterkoordinaten',
  '* and * are both 0, as programs write a position that is missing: write the position, or delete the row':
    '{1} und {2} sind beide 0, wie Programme eine fehlende Position schreiben: Schreiben Sie die Position, oder löschen Sie die Zeile',
  'yaw, pitch and roll are stored with a height above the ellipsoid, and the row has none: they are left out unless the point already has one':
    'yaw, pitch und roll werden mit einer Höhe über dem Ellipsoid gespeichert, und die Zeile hat keine: Sie entfallen, sofern der Punkt nicht schon eine hat',
  '* is what programs call a row with the total or average of others: delete the row, and the point, if it is one':
    '{1} nennen Programme eine Zeile mit der Summe oder dem Mittel anderer: Löschen Sie die Zeile und den Punkt, falls es eine solche ist',
  'the file has no rows': 'Die Datei hat keine Zeilen',
  'the file has no rows below its header': 'Unter der Kopfzeile hat die Datei keine Zeilen',
  'the file has a header line but no rows': 'Die Datei hat eine Kopfzeile, aber keine Zeilen',
  'the file has no column of titles: its points are named GCP 1, GCP 2 and so on, by their order':
    'Die Datei hat keine Titelspalte: Die Punkte heißen der Reihe nach GCP 1, GCP 2 und so weiter',
  'the positions of the points in photos are not kept': 'Die Positionen der Punkte in Fotos werden nicht übernommen',
  'columns without a known word were read by their cells: *':
    'Spalten ohne bekannten Namen wurden nach ihrem Inhalt gelesen: {1}',
  'line * (*) was read as the header that header= replaces, not as a row':
    'Zeile {1} ({2}) wurde als die ersetzte Kopfzeile gelesen, nicht als Punkt',
}

/** The words for columns. */
export const columnWords: Record<string, string> = {
  latitude: 'Breite',
  longitude: 'Länge',
  northing: 'Nordwert',
  easting: 'Ostwert',
}
