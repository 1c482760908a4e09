import type { Messages } from '../../index.ts'

const untilHour = (hour: string) => (hour === '1:00' ? 'hasta la 1:00 UTC' : `hasta las ${hour} UTC`)

/** What an app does today. */
export const today: Messages['app']['today'] = {
  title: 'Hoy',
  players: 'Jugadores hoy',
  running: 'Sesiones en curso',
  paused: (n) => `${n} en pausa`,
  scores: 'Puntuaciones en 24 horas',
  checkIns: 'Check-ins en 24 horas',
  orMore: (n) => `${n} o más`,
  compared: {
    unknown: (day) => `Aún no hay datos del ${day} pasado`,
    none: (day, hour) => `Ninguno el ${day} pasado ${untilHour(hour)}`,
    same: (day, hour) => `Los mismos que el ${day} pasado ${untilHour(hour)}`,
    from: (n, day, hour) => `${n} el ${day} pasado ${untilHour(hour)}`,
    more: (share, day, hour) => `${share} más que el ${day} pasado ${untilHour(hour)}`,
    fewer: (share, day, hour) => `${share} menos que el ${day} pasado ${untilHour(hour)}`,
  },
  days: 'Jugadores por día',
  daysText: 'últimos 14 días',
  playersOf: 'Jugadores',
  daysSummary: (today, most, when) => `Jugadores por día durante 14 días: hoy, ${today}; máximo, ${most} (${when})`,
  boards: 'Clasificaciones más activas',
  boardsText: 'últimas 24 horas',
  board: 'Clasificación',
  byHour: 'Por hora',
  written: 'Puntuaciones',
  hoursSummary: (board, total, most, when) =>
    `${board}: puntuaciones en 24 horas, ${total}; máximo por hora, ${most} (${when})`,
  ago: 'hace 23 h',
  now: 'ahora',
  noBoards: 'No hay puntuaciones en las últimas 24 horas',
  noBoardsText: 'Las clasificaciones aparecen aquí, primero la más activa, en cuanto el juego registra puntuaciones.',
  openSessions: 'Ver sesiones',
  fences: 'Geocercas visitadas',
  fence: 'Geocerca',
  visits: 'Check-ins',
  visitors: 'Jugadores',
  fresh: 'Nadie ha jugado todavía',
  freshText:
    'Los jugadores, las sesiones y las puntuaciones aparecen aquí en cuanto el juego hace sus primeras llamadas.',
  firstCall: 'Hacer la primera llamada',
  attention: {
    title: 'Requiere atención',
    none: 'Nada requiere atención',
    scores: (n, written) =>
      n === 1 ? '1 puntuación pendiente de revisión' : `${written} puntuaciones pendientes de revisión`,
    checkIns: (n, written) =>
      n === 1 ? '1 check-in pendiente de revisión' : `${written} check-ins pendientes de revisión`,
    oldest: 'En espera desde',
    failing: (n) => (n === 1 ? '1 webhook con fallos' : `${n} webhooks con fallos`),
    failingText: 'Los eventos se reenvían hasta que se entregan. Después de 3 días, el webhook se desactiva.',
    disabled: (n) => (n === 1 ? 'Se desactivó 1 webhook' : `Se desactivaron ${n} webhooks`),
    disabledText: 'Actívelo cuando el receptor vuelva a funcionar: se enviarán entonces los eventos aún pendientes.',
    quota: (name, used, most) => `${name}: ${used} de ${most} en uso`,
    quotaText: (setting) => `Al llegar al límite, se rechazan los nuevos. Lo establece ${setting}.`,
    quotas: {
      keys: 'Claves adicionales',
      webhooks: 'Webhooks',
      gameTypes: 'Minijuegos',
      hiddenGameTypes: 'Minijuegos ocultos',
      storageBytes: 'Datos de jugadores almacenados',
    },
  },
}
