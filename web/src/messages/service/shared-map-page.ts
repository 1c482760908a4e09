/** What closes a popup of a shared map, by the language of the page, whose other texts the service writes. */
export const closePopup: Record<string, string> = { en: 'Close popup', de: 'Schließen', es: 'Cerrar' }
