/** The limits of the service by their setting: name and description. */
export const limits: Record<string, [name: string, description: string]> = {
  CAIRN_LIMIT_KEY_PER_MINUTE: [
    'Solicitudes con clave de aplicación',
    'Por aplicación; cada clave adicional tiene las suyas',
  ],
  CAIRN_LIMIT_PLAYER_PER_MINUTE: ['Solicitudes de un jugador', 'Por jugador, con tokens de jugador'],
  CAIRN_LIMIT_USER_PER_MINUTE: ['Solicitudes de un usuario', 'Por usuario, en todas sus sesiones'],
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: [
    'Solicitudes desde una dirección',
    'Por dirección sin credencial válida o solo con una clave de cliente (en IPv6, por /64)',
  ],
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: ['Inicios de sesión fallidos', 'Por dirección'],
  CAIRN_LIMIT_UPLOADS_PER_HOUR: [
    'Subidas',
    'Por dirección sin credencial válida; un usuario o una aplicación puede hacer diez veces más',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: [
    'Datos subidos',
    'Por dirección sin credencial válida; un usuario o una aplicación puede enviar diez veces más',
  ],
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: [
    'Datos subidos por todos los clientes',
    'Todos juntos, por día UTC; por encima, las subidas devuelven 507',
  ],
  CAIRN_DISK_RESERVE_BYTES: [
    'Reserva de disco',
    'Espacio libre en el disco de la carpeta de datos; por debajo, las subidas devuelven 507',
  ],
  CAIRN_DATABASE_RESERVE_BYTES: [
    'Reserva de disco de la base de datos',
    'Espacio libre en el disco de la base de datos; por debajo, las escrituras devuelven 507',
  ],
  CAIRN_QUOTA_APPS: ['Aplicaciones de un usuario', 'Por encima, 409; sin límite para ops'],
  CAIRN_QUOTA_KEYS: [
    'Claves de una aplicación',
    'Válidas, incluidas las que están en su plazo de gracia; por encima, 409',
  ],
  CAIRN_QUOTA_WEBHOOKS: ['Webhooks de una aplicación', 'Por encima, 409'],
  CAIRN_QUOTA_FENCES: ['Geocercas de una aplicación', 'Por encima, 409'],
  CAIRN_QUOTA_SEASONS: ['Temporadas de una aplicación', 'Incluidas las terminadas; por encima, 409'],
  CAIRN_QUOTA_HELD_SCORES: ['Puntuaciones retenidas de una aplicación', 'Las revisadas dejan sitio; por encima, 409'],
  CAIRN_QUOTA_GAME_TYPES: ['Minijuegos de una aplicación', 'Y otros tantos ocultos; por encima, 409'],
  CAIRN_QUOTA_ZONES: ['Zonas de un usuario', 'Por encima, 409; sin límite para ops'],
  CAIRN_QUOTA_ZONE_POSITIONS: ['Vértices de las zonas de un usuario', 'Todos los límites juntos; por encima, 409'],
  CAIRN_QUOTA_IMPORTS: ['Importaciones de un usuario', 'En espera o en curso; por encima, 429'],
  CAIRN_QUOTA_PLAYER_KEYS: ['Entradas guardadas de un jugador', 'Cada una de hasta 64 KiB; por encima, 409'],
  CAIRN_QUOTA_STORAGE_BYTES: ['Almacenamiento de jugadores de una aplicación', 'Todos los jugadores; por encima, 409'],
  CAIRN_UPLOAD_MAX_BYTES: ['Archivo más grande', 'Una subida o un modelo para convertir'],
  CAIRN_UPLOAD_MAX_FILES: ['Archivos en una subida', 'En un formulario'],
  CAIRN_RESUMABLE_MAX_BYTES: [
    'Archivo reanudable más grande',
    'Con sesión o clave de aplicación; si no, se aplica el archivo más grande',
  ],
  CAIRN_CONVERT_SECONDS: ['Tiempo de conversión', 'Después, la conversión falla'],
  CAIRN_SLOW_BODY_SECONDS: [
    'Clientes lentos',
    'Tiempo en el que un cliente debe enviar al menos 1 KiB por segundo de media, y en cuyo doble debe recibir otro tanto',
  ],
  CAIRN_DRAIN_SECONDS: ['Parada', 'Cuánto tiempo acepta solicitudes el proceso después de la señal de parada'],
  CAIRN_APRIL_TAG_METRES: [
    'Distancia entre AprilTags iguales',
    'Dos puntos de control más cercanos no pueden tener la misma etiqueta',
  ],
  CAIRN_FENCE_BYTES: ['Memoria de las geocercas', 'Por encima, las que llevan más tiempo sin uso se vuelven a cargar'],
  CAIRN_RANK_BYTES: ['Memoria de las clasificaciones', 'Por encima, las posiciones se leen de la base de datos'],
  CAIRN_PIN_INDEX_BYTES: [
    'Índice de pines',
    'Memoria en cada proceso; si los pines no caben, se busca en la base de datos',
  ],
  CAIRN_PIN_ANSWER_BYTES: ['Registros de pines', 'Memoria en cada proceso para los pines leídos hace poco'],
  CAIRN_TILE_BYTES: [
    'Puntos de teselas vectoriales',
    'Memoria en cada proceso para los puntos de una colección; si no caben, sus teselas devuelven 503',
  ],
  CAIRN_CODE_SECONDS: ['Validez de un código de seis cifras', 'Después, el código ha caducado (EXPIRED)'],
  CAIRN_CODE_RISK: [
    'Riesgo de un código adivinado',
    'Aceptado en un espacio de códigos; determina cuántos códigos erróneos se permiten',
  ],
  CAIRN_SCORE_HOOK_SECONDS: [
    'Tiempo de un hook de puntuación',
    'Sin respuesta utilizable, decide el campo `onFailure` del hook',
  ],
  CAIRN_WEBHOOK_RETRY_SECONDS: [
    'Primera espera de un webhook',
    'Después de una entrega fallida; cada espera siguiente es cuatro veces más larga',
  ],
  CAIRN_WEBHOOK_CONCURRENCY: ['Entregas simultáneas', 'A un webhook, desde un proceso'],
  CAIRN_WEBHOOK_RATE: ['Entregas', 'A un webhook, desde un proceso'],
  CAIRN_WEBHOOK_LOG_DAYS: [
    'Conservación de las entregas',
    'Del historial, y de las entregas pendientes de un webhook desactivado',
  ],
  CAIRN_WEBHOOK_LOG_ROWS: ['Filas de un historial de entregas', 'Por webhook; las más antiguas se eliminan primero'],
  CAIRN_WEBHOOK_PENDING: ['Entregas pendientes de un webhook', 'Por encima, el webhook se desactiva y se eliminan'],
  CAIRN_WEBHOOK_PENDING_BYTES: ['Datos pendientes de un webhook', 'Por encima, el webhook se desactiva'],
  CAIRN_WEBHOOK_APP_PENDING: [
    'Entregas pendientes de una aplicación',
    'Por encima, se desactivan sus webhooks con más entregas pendientes',
  ],
  CAIRN_WEBHOOK_APP_PENDING_BYTES: [
    'Datos pendientes de una aplicación',
    'Por encima, se desactivan sus webhooks con más datos pendientes',
  ],
  CAIRN_WEBHOOK_ALL_PENDING: [
    'Entregas pendientes de todos los webhooks',
    'Por encima, se desactivan webhooks del propietario con más entregas pendientes',
  ],
  CAIRN_WEBHOOK_ALL_PENDING_BYTES: [
    'Datos pendientes de todos los webhooks',
    'Por encima, se desactivan webhooks del propietario con más datos pendientes',
  ],
}

/** What the limits count. */
export const units: Record<string, string> = {
  'requests a minute': 'solicitudes por minuto',
  'exchanges a minute': 'inicios de sesión por minuto',
  'uploads an hour': 'subidas por hora',
  'bytes an hour': 'bytes por hora',
  'bytes a day': 'bytes por día',
  'deliveries a second': 'entregas por segundo',
  'probability per day': 'probabilidad por día',
  apps: 'aplicaciones',
  keys: 'claves',
  webhooks: 'webhooks',
  fences: 'geocercas',
  seasons: 'temporadas',
  scores: 'puntuaciones',
  types: 'minijuegos',
  zones: 'zonas',
  positions: 'vértices',
  imports: 'importaciones',
  files: 'archivos',
  bytes: 'bytes',
  seconds: 'segundos',
  metres: 'metros',
  days: 'días',
  deliveries: 'entregas',
}
