import type { AlertTexts } from './english.ts'

const counted = (count = 0, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const QUOTAS: Record<string, string> = {
  keys: 'claves de API',
  webhooks: 'webhooks',
  gameTypes: 'minijuegos',
  hiddenGameTypes: 'minijuegos ocultos',
  storageBytes: 'bytes de almacenamiento de los jugadores',
}

export const spanish: AlertTexts = {
  summaries: {
    reviews_waiting: ({ scores = 0, checkIns = 0 }) => {
      const held = [
        ...(scores > 0 ? [counted(scores, 'puntuación', 'puntuaciones')] : []),
        ...(checkIns > 0 ? [counted(checkIns, 'check-in', 'check-ins')] : []),
      ]
      return `${held.join(' y ')} ${scores + checkIns === 1 ? 'espera' : 'esperan'} revisión`
    },
    webhook_failing: ({ webhooks }) => `Fallan las entregas a ${counted(webhooks, 'webhook', 'webhooks')}`,
    webhook_disabled: ({ webhooks }) => `Cairn ha desactivado ${counted(webhooks, 'webhook', 'webhooks')}`,
    quota_near: ({ used, most }, name) => `Se usan ${used} de ${most} ${QUOTAS[name] ?? name}`,
    part_failed: (_, name) => `Falla el componente «${name}»`,
    disk_low: () => 'El disco de la carpeta de datos está casi lleno',
    database_disk_low: () => 'El disco de la base de datos está casi lleno',
    backup_late: () => 'La copia de seguridad programada se retrasa',
    backup_failed: () => 'La última copia de seguridad programada falló',
    jobs_failed: ({ jobs }, name) =>
      `${counted(jobs, 'trabajo', 'trabajos')} de la cola «${name}» ${jobs === 1 ? 'ha' : 'han'} fallado`,
  },
  box: 'de esta instalación de Cairn',
  app: (name) => `de la aplicación «${name}»`,
  opened: (what) => `Nueva alerta ${what}:`,
  ended: (what) => `Ha terminado una alerta ${what}:`,
  openedAt: (time) => `Inicio: ${time}`,
  endedAt: (time) => `Fin:    ${time}`,
  endedSubject: (summary) => `Terminada: ${summary}`,
  toOperator: 'Recibe este mensaje porque su dirección está en CAIRN_ALERT_EMAILS.',
  toTeam: 'Recibe este mensaje porque un administrador de la aplicación añadió su dirección. Puede quitarla aquí:',
  testSubject: 'Prueba: las alertas llegan aquí',
  test: (name) => `Esto es una prueba. Las alertas de la aplicación «${name}» se envían a esta dirección.`,
  testSettings: 'Un administrador de la aplicación puede cambiarlo aquí:',
}
