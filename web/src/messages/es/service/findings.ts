/** What the service finds in the rows of a file, with `*` for values. */
export const findingTexts: Record<string, string> = {
  'Nothing was imported: *': 'No se importó nada: {…1}',
  '* of * rows failed; first: row * (line *): *':
    'fallaron {1} de {2} filas; la primera, la fila {3} (línea {4}): {…5}',
  'the row has no title': 'La fila no tiene título',
  'title * is already used in row *': 'El título {1} ya está en la fila {2}',
  'latitude * is outside -90..90': 'La latitud {1} no está entre −90 y 90',
  'latitude * is outside -90..90: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed':
    'La latitud {1} no está entre −90 y 90: si son metros de una cuadrícula, llame easting y northing a las columnas e indique el sistema de referencia en una línea como EPSG:25833; si son grados y minutos empaquetados, importe con angles=dms-packed',
  'longitude * is outside -180..180': 'La longitud {1} no está entre −180 y 180',
  'longitude * is outside -180..180: write * if it counts to 360':
    'La longitud {1} no está entre −180 y 180: escriba {2} si cuenta hasta 360',
  'longitude * is outside -180..180: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed':
    'La longitud {1} no está entre −180 y 180: si son metros de una cuadrícula, llame easting y northing a las columnas e indique el sistema de referencia en una línea como EPSG:25833; si son grados y minutos empaquetados, importe con angles=dms-packed',
  '* is empty': '{1} está vacío',
  '* is not a number: write figures only, such as *': '{1} no es un número: escriba solo cifras, como {2}',
  '* can be * or *: write one of these': '{1} puede ser {2} o {3}: escriba uno de los dos',
  '* has a decimal comma, which the other numbers of the file do not use: write *':
    '{1} tiene una coma decimal, que los demás números del archivo no usan: escriba {2}',
  '* has a decimal point, which the other numbers of the file do not use: write *':
    '{1} tiene un punto decimal, que los demás números del archivo no usan: escriba {2}',
  '* is the error of a formula: correct it in the sheet, or write the height or nothing':
    '{1} es el error de una fórmula: corríjalo en la hoja, o escriba la altura o nada',
  '* is the error of a formula: correct it in the sheet, or write the number':
    '{1} es el error de una fórmula: corríjalo en la hoja, o escriba el número',
  '* is not an angle: write it as in *': '{1} no es un ángulo: escríbalo como en {2}',
  '* has no letter, which the other rows have: write N or S beside it':
    '{1} no tiene letra, a diferencia de las demás filas: añada N o S',
  '* has no letter, which the other rows have: write E or W beside it':
    '{1} no tiene letra, a diferencia de las demás filas: añada E o W',
  'aprilTagId * is outside *..*': 'aprilTagId {1} no está entre {2} y {3}',
  'aprilTagId * is not a whole number': 'aprilTagId {1} no es un número entero',
  'AprilTag * is already carried by row * nearby: write a tag that no point within * m has, or none':
    'La fila {2}, cercana, ya tiene el AprilTag {1}: escriba uno que no tenga ningún punto a menos de {3} m, o ninguno',
  'AprilTag * is already carried by * nearby: write a tag that no point within * m has, or none':
    '{2}, cercano, ya tiene el AprilTag {1}: escriba uno que no tenga ningún punto a menos de {3} m, o ninguno',
  'gcpType * is neither SINGLE nor MULTI': 'gcpType {1} no es ni SINGLE ni MULTI',
  '* photos, * are allowed': '{1} fotos, se permiten {2}',
  '* is not an http or https address: write the address of the photo, or give the column another name if it has names of files':
    '{1} no es una dirección http o https: escriba la dirección de la foto, o cambie el nombre de la columna si contiene nombres de archivos',
  '* is * characters long, * are allowed': '{1} tiene {2} caracteres, se permiten {3}',
  'the row has * fields, but * are expected: put a text that holds the delimiter in quotes, and where commas part the fields write decimals with a point':
    'La fila tiene {1} campos y se esperan {2}: ponga entre comillas los textos que contienen el separador y, si este es la coma, escriba los decimales con punto',
  'the row has * field, but * are expected: *':
    'La fila tiene {1} campo y se esperan {2}: dé un valor a cada columna, vacío si hace falta',
  'the row has * fields, but * are expected: give each header a value, empty if necessary':
    'La fila tiene {1} campos y se esperan {2}: dé un valor a cada columna, vacío si hace falta',
  'the point is at latitude *, longitude *, outside its zone: check the reference system if that is not its place':
    'El punto está en la latitud {1}, longitud {2}, fuera de su zona: compruebe el sistema de referencia si ese no es su lugar',
  'the point is at latitude *, longitude *, * km from the other points of the file: check its coordinates':
    'El punto está en la latitud {1}, longitud {2}, a {3} km de los demás puntos del archivo: compruebe sus coordenadas',
  'the coordinates are swapped: with * as * and * as * the point is at latitude *, longitude *, inside the area of *; exchange the two columns':
    'Las coordenadas están intercambiadas: con {1} como {2} y {3} como {4}, el punto está en la latitud {5}, longitud {6}, dentro del área de {7}; intercambie las dos columnas',
  'the coordinates are swapped: with * as * and * as * the point is at latitude *, longitude *, where it belongs; exchange the two columns':
    'Las coordenadas están intercambiadas: con {1} como {2} y {3} como {4}, el punto está en su lugar, en la latitud {5}, longitud {6}; intercambie las dos columnas',
  'the coordinates were swapped: * is * and * is *': 'Las coordenadas se intercambiaron: {1} es {2} y {3} es {4}',
  'the coordinates give no position on earth, outside the area of *: check the reference system of the file, and that the coordinates are in its unit':
    'Las coordenadas no dan ninguna posición en la Tierra: compruebe el sistema de referencia del archivo y que las coordenadas estén en su unidad',
  'the coordinates give latitude *, longitude *, outside the area of *: check the reference system of the file, and that the coordinates are in its unit':
    'Las coordenadas dan la latitud {1}, longitud {2}, fuera del área de {3}: compruebe el sistema de referencia del archivo y que las coordenadas estén en su unidad',
  'the row names no reference system for its grid coordinates':
    'La fila no indica ningún sistema de referencia para sus coordenadas de cuadrícula',
  '* and * are both 0, as programs write a position that is missing: write the position, or delete the row':
    '{1} y {2} son 0, como escriben los programas una posición que falta: escriba la posición o elimine la fila',
  'yaw, pitch and roll are stored with a height above the ellipsoid, and the row has none: they are left out unless the point already has one':
    'yaw, pitch y roll se guardan con una altura sobre el elipsoide, y la fila no tiene ninguna: se omiten salvo que el punto ya tenga una',
  '* is what programs call a row with the total or average of others: delete the row, and the point, if it is one':
    '{1} es como llaman los programas a una fila con el total o la media de otras: si lo es, elimine la fila y el punto',
  'the file has no rows': 'El archivo no tiene filas',
  'the file has no rows below its header': 'El archivo no tiene filas debajo de su encabezado',
  'the file has a header line but no rows': 'El archivo tiene un encabezado, pero ninguna fila',
  'the file has no column of titles: its points are named GCP 1, GCP 2 and so on, by their order':
    'El archivo no tiene columna de títulos: sus puntos se llaman GCP 1, GCP 2, etc., por su orden',
  'the positions of the points in photos are not kept': 'Las posiciones de los puntos en las fotos no se conservan',
  'columns without a known word were read by their cells: *':
    'Las columnas sin un nombre conocido se leyeron por su contenido: {1}',
  'line * (*) was read as the header that header= replaces, not as a row':
    'La línea {1} ({2}) se leyó como el encabezado sustituido, no como un punto',
}

/** The words for columns. */
export const columnWords: Record<string, string> = {
  latitude: 'latitud',
  longitude: 'longitud',
  northing: 'norte',
  easting: 'este',
}
