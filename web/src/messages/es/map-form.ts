import type { Messages } from '../index.ts'

type MapTexts = Messages['map']

export const form: MapTexts['form'] = {
  newPin: 'Nuevo pin',
  editPin: 'Editar pin',
  addPin: 'Añadir pin',
  newGcp: 'Nuevo punto de control',
  editGcp: 'Editar punto de control',
  addGcp: 'Añadir punto de control',
  newZone: 'Nueva zona',
  editZone: 'Editar zona',
  addZone: 'Añadir zona',
  title: 'Título',
  place: 'Ubicación: latitud, longitud',
  placeHow: 'Haga clic en el mapa, arrastre el marcador o introduzca las coordenadas.',
  placeMissing: 'Indique una ubicación: haga clic en el mapa o introduzca la latitud y la longitud',
  content: 'Contenido',
  address: 'URL del contenido',
  visibility: 'Visibilidad',
  zone: 'Zona',
  noZone: 'Ninguna',
  tag: 'AprilTag',
  tagHow: 'Familia tag36h11, de 0 a 50. Opcional.',
  tagTaken: 'Un punto de control cercano ya usa este AprilTag',
  freeTags: 'AprilTags disponibles:',
  description: 'Descripción',
  corners: 'Vértices: latitud, longitud, uno por línea',
  cornersHow:
    'Haga clic en el mapa para añadir un vértice, arrastre los vértices o introduzca las coordenadas. Una línea «hueco» inicia un hueco en la parte anterior. Una línea «parte» inicia otra parte.',
  parts: { hole: 'hueco', area: 'parte' },
  addHole: 'Añadir hueco',
  addArea: 'Añadir parte',
  removeCorner: 'Quitar último vértice',
  cornersExample: '54.3241, 10.1380\n54.3241, 10.1412\n54.3226, 10.1396',
  cornerWrong: (line) => `La línea ${line} debe ser latitud, longitud en grados`,
  inLine: (line, what) => `Línea ${line}: ${what}`,
  fewCorners: (line) => `El anillo que empieza en la línea ${line} necesita al menos tres vértices`,
  placing: 'Haga clic en el mapa para indicar la ubicación',
  drawing: (ring) => `Haga clic en el mapa para marcar los vértices${ring === null ? '' : ` (${ring})`}`,
  ring: (area, hole) => (hole === 0 ? `parte ${area}` : `hueco ${hole} de la parte ${area}`),
}

export const pose: MapTexts['pose'] = {
  title: 'Altura y orientación',
  height: 'Altura elipsoidal',
  altitude: 'Altitud',
  altitudeHow: 'Tal como se midió. Si se deja en blanco, se usa la altura elipsoidal.',
  datum: 'Datum vertical',
  datumHow:
    'La referencia de la altitud: ellipsoid, EGM96 o un datum vertical como EPSG:7837. Si se indica un datum y la altura está en blanco, esta se calcula.',
  yaw: 'Guiñada',
  pitch: 'Cabeceo',
  roll: 'Alabeo',
  how: 'La altura se indica en metros sobre el elipsoide. La guiñada (yaw) se mide desde el este en sentido antihorario: 90° es el norte.',
}

export const tagPose: MapTexts['tagPose'] = {
  title: 'Impresión y colocación del AprilTag',
  size: 'Tamaño del AprilTag',
  heading: 'Rumbo',
  tilt: 'Inclinación',
  turn: 'Giro',
  accuracy: 'Precisión',
  how: 'Con todos estos datos, basta una foto de este AprilTag para localizar una cámara. El tamaño es un lado del borde negro. El rumbo es la dirección en la que se mira al situarse frente al AprilTag en su posición normal, medida en sentido horario desde el norte verdadero. La inclinación es 0° en el suelo y 90° en una pared. Si se dejan en blanco, el giro es 0° y la precisión, 1°.',
}
