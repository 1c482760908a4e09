import type { Translated } from '../../../platform/html/languages.ts'

/** Of the page that shows a model in AR. */
type ArTexts = {
  about: string
  onPhone: string
  scan: string
  code: string
  here: string
  apple: string
  appleWay: string
  android: string
  tap: string
  show: string
  showOne: (name: string) => string
  coming: string
  noUsdz: string
  noGlb: string
  noViewer: string
  onScreen: string
  alt: (name: string) => string
  notDrawn: string
}

export const arTexts: Translated<ArTexts> = {
  en: {
    about: 'See this 3D model in your surroundings, at its real size.',
    onPhone: 'Open it on your phone',
    scan: 'Scan this code with the camera of a phone or tablet.',
    code: 'QR code of this page',
    here: 'On this device:',
    apple: 'iPhone or iPad',
    appleWay: 'iPhone and iPad',
    android: 'Android',
    tap: 'Tap the picture.',
    show: 'Show in AR',
    showOne: (name) => `Show ${name} in AR`,
    coming: 'The file for these devices is being created. Open this page again in a minute.',
    noUsdz: 'There is no file for these devices. The owner of the model can convert it to USDZ.',
    noGlb: 'This model has no GLB, which Android needs to show it.',
    noViewer: 'This phone cannot show it in AR, which requires Google Play Services for AR.',
    onScreen: 'See it in 3D on this screen',
    alt: (name) => `3D model: ${name}`,
    notDrawn: 'This browser cannot draw the model.',
  },
  de: {
    about: 'Sehen Sie dieses 3D-Modell in Ihrer Umgebung, in seiner wirklichen Größe.',
    onPhone: 'Auf dem Handy öffnen',
    scan: 'Scannen Sie diesen Code mit der Kamera eines Handys oder Tablets.',
    code: 'QR-Code dieser Seite',
    here: 'Auf diesem Gerät:',
    apple: 'iPhone oder iPad',
    appleWay: 'iPhone und iPad',
    android: 'Android',
    tap: 'Tippen Sie auf das Bild.',
    show: 'In AR zeigen',
    showOne: (name) => `${name} in AR zeigen`,
    coming: 'Die Datei für diese Geräte wird gerade erstellt. Öffnen Sie diese Seite in einer Minute noch einmal.',
    noUsdz: 'Für diese Geräte gibt es keine Datei. Wem das Modell gehört, der kann es in USDZ umwandeln.',
    noGlb: 'Dieses Modell hat keine GLB-Datei, die Android zur Anzeige braucht.',
    noViewer: 'Dieses Handy kann es nicht in AR zeigen: Dafür sind die Google Play-Dienste für AR nötig.',
    onScreen: 'In 3D auf diesem Bildschirm ansehen',
    alt: (name) => `3D-Modell: ${name}`,
    notDrawn: 'Dieser Browser kann das Modell nicht zeichnen.',
  },
  es: {
    about: 'Vea este modelo 3D en su entorno, a su tamaño real.',
    onPhone: 'Ábralo en su teléfono',
    scan: 'Escanee este código con la cámara de un teléfono o una tableta.',
    code: 'Código QR de esta página',
    here: 'En este dispositivo:',
    apple: 'iPhone o iPad',
    appleWay: 'iPhone y iPad',
    android: 'Android',
    tap: 'Toque la imagen.',
    show: 'Ver en RA',
    showOne: (name) => `Ver ${name} en RA`,
    coming: 'El archivo para estos dispositivos se está creando. Vuelva a abrir esta página dentro de un minuto.',
    noUsdz: 'No hay ningún archivo para estos dispositivos. El propietario del modelo puede convertirlo a USDZ.',
    noGlb: 'Este modelo no tiene un GLB, que Android necesita para mostrarlo.',
    noViewer: 'Este teléfono no puede mostrarlo en RA: necesita los Servicios de Google Play para RA.',
    onScreen: 'Ver en 3D en esta pantalla',
    alt: (name) => `Modelo 3D: ${name}`,
    notDrawn: 'Este navegador no puede dibujar el modelo.',
  },
}

/** Where there is no such model. */
export const noModel: Translated<{ title: string; sentence: string }> = {
  en: {
    title: 'There is no model here',
    sentence: 'The model was removed or is not public, or the address is wrong.',
  },
  de: {
    title: 'Hier ist kein Modell',
    sentence: 'Das Modell wurde entfernt, ist nicht öffentlich, oder die Adresse ist falsch.',
  },
  es: {
    title: 'Aquí no hay ningún modelo',
    sentence: 'El modelo se eliminó o no es público, o la dirección es incorrecta.',
  },
}
