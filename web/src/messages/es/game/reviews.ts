import type { Messages } from '../../index.ts'

export const reviews: Messages['game']['reviews'] = {
  title: 'Revisiones',
  list: 'Puntuaciones retenidas',
  sub: 'Puntuaciones que infringieron una regla de su minijuego. No cuentan en ninguna clasificación hasta que usted las acepta.',
  state: 'Estado',
  states: { held: 'Por revisar', accepted: 'Aceptadas', rejected: 'Rechazadas' },
  player: 'Jugador',
  score: 'Puntuación retenida',
  current: 'Puntuación actual',
  why: 'Motivo',
  session: 'Sesión',
  sent: 'Envío',
  decision: 'Decisión',
  reasons: {
    maxPerMinute: 'Más puntuaciones en un minuto de las permitidas',
    maxIncrease: 'Mucho mejor que la mejor puntuación hasta ahora',
    minSessionSeconds: 'Demasiado pronto después de unirse a la sesión',
    requireMetadata: 'Faltan metadatos',
    hook: 'El hook de puntuaciones la retuvo o no respondió',
  },
  accept: 'Aceptar',
  acceptOf: (name) => `Aceptar la puntuación de ${name}`,
  accepted: (name) => `La puntuación de ${name} ya cuenta`,
  reject: 'Rechazar',
  rejectOf: (name) => `Rechazar la puntuación de ${name}`,
  rejected: (name) => `Se rechazó la puntuación de ${name}`,
  none: {
    held: 'No hay nada que revisar',
    accepted: 'No hay puntuaciones aceptadas',
    rejected: 'No hay puntuaciones rechazadas',
  },
  noneText: 'Defina reglas en un minijuego, y las puntuaciones que infrinjan alguna esperarán aquí.',
  toRules: 'Minijuegos',
  // The English text has its two words as its type.
  waiting: (n) => (n === 1 ? 'puntuación por revisar' : 'puntuaciones por revisar'),
}
