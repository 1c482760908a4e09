import type { Messages } from '../../index.ts'

export const alerts: Messages['app']['alerts'] = {
  title: 'Alertas',
  text: 'Las alertas indican qué requiere atención: por correo y a los webhooks que reciben alert.opened y alert.ended.',
  addresses: 'Direcciones de correo',
  addressesText:
    'Una por línea, 10 como máximo. Cada una recibe un correo cuando una alerta se abre y otro cuando termina.',
  kinds: 'Por correo',
  kindNames: {
    reviews_waiting: 'Puntuaciones y check-ins pendientes de revisión',
    webhook_failing: 'Webhooks con fallos',
    webhook_disabled: 'Webhooks desactivados',
    quota_near: 'Cuotas casi agotadas',
  },
  noMail: 'Esta instalación no envía correo',
  noMailText: 'Ya se pueden guardar direcciones. El operador establece CAIRN_SMTP_URL.',
  save: 'Guardar alertas',
  changedByOthers: 'Otra persona guardó estos ajustes',
  changedByOthersText: 'Lo que usted introdujo se conserva y los sustituye al guardar. Guardado:',
  takeTheirs: 'Usar los guardados',
  saved: 'Alertas guardadas',
  test: 'Enviar un correo de prueba',
  testUnsaved: 'Guarde primero: la prueba se envía a las direcciones guardadas.',
  tested: 'Correos de prueba',
  testSent: (address) => `${address}: aceptado por el servidor de correo`,
  testFailed: (address, error) => `${address}: ${error}`,
  last: 'Últimas alertas',
  none: 'Sin alertas. Mientras haya una dirección guardada o un webhook que reciba alertas, aparecen aquí durante 90 días.',
  what: 'Alerta',
  opened: 'Inicio',
  ended: 'Fin',
  open: 'Abierta',
}
