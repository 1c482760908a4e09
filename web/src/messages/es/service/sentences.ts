import type { ServerTexts } from '../../service/sentences.ts'

export const serverTexts: ServerTexts = {
  'CAIRN_REDIS_URL is not set': 'CAIRN_REDIS_URL no está definido',
  'CAIRN_DATABASE_REPLICA_URL is not set': 'CAIRN_DATABASE_REPLICA_URL no está definido',
  '# pins in memory': '# pines en memoria',
  '# ms behind': '# ms de retraso',
  'Accounts of this service': 'Cuentas de este servicio',
  'Nobody can sign in: set CAIRN_OIDC': 'Nadie puede iniciar sesión: defina CAIRN_OIDC',

  'The mail server refused this address (#)': 'El servidor de correo rechazó esta dirección (#)',
  'The mail server does not accept mail to this address now (#)':
    'El servidor de correo no acepta ahora correo para esta dirección (#)',
  'The mail server refused the sign-in (#)': 'El servidor de correo rechazó el inicio de sesión (#)',
  'The mail server refused the sender or the mail (#)': 'El servidor de correo rechazó el remitente o el mensaje (#)',
  'The mail server does not accept mail now (#)': 'El servidor de correo no acepta correo ahora (#)',
  'The mail server has no valid certificate': 'El servidor de correo no tiene un certificado válido',
  'The mail server offers no usable TLS': 'El servidor de correo no ofrece un TLS utilizable',
  'The mail server did not answer in time': 'El servidor de correo no respondió a tiempo',
  'The mail server could not be reached': 'No se pudo conectar con el servidor de correo',

  'This app already has a player named #': 'Esta aplicación ya tiene un jugador llamado #',
  'This app already has a mini game type named #': 'Esta aplicación ya tiene un minijuego llamado #',
  'This game session is completed, which is final: create a new one':
    'Esta sesión ha terminado definitivamente: cree una nueva',
  'This game session is completed and accepts no more players': 'Esta sesión ha terminado y no admite más jugadores',
  'Scores are accepted only while a game session is active: this one is paused or completed':
    'Solo se aceptan puntuaciones en sesiones activas: esta está en pausa o ha terminado',
  'This player is banned: set its standing to normal or hidden first':
    'Este jugador está bloqueado: desbloquéelo primero',
  'This player has no ranking on this leaderboard': 'Este jugador no tiene puesto en esta clasificación',
  'The score lies outside the bounds of its mini game type by now: change the bounds, or reject it':
    'La puntuación queda ahora fuera de los límites de su minijuego: cambie los límites o rechácela',
  'The score can no longer be written: its game session or its player is gone':
    'La puntuación ya no se puede guardar: su sesión o su jugador se eliminó',
  'The sort order of a mini game type is fixed once a score is written: create another type':
    'El orden de un minijuego queda fijado con la primera puntuación: cree otro',
  'The score mode of a mini game type is fixed once a score is written: create another type':
    'Lo que cuenta en un minijuego queda fijado con la primera puntuación: cree otro',
  'The ties of a mini game type are fixed once a score is written: create another type':
    'Los empates de un minijuego quedan fijados con la primera puntuación: cree otro',
  'This season has ended: its end can no longer be changed':
    'Esta temporada ha terminado: su final ya no se puede cambiar',
  'This webhook is disabled: enable it to send pending deliveries':
    'Este webhook está desactivado: actívelo para enviar las entregas pendientes',

  'This is the only owner of the app: make another member an owner first':
    'Es el único propietario de la aplicación: antes, haga propietario a otro miembro',
  'This user is a member of the app already: change the role instead':
    'Este usuario ya es miembro de la aplicación: cambie su rol',
  'There is already an account with the login #': 'Ya hay una cuenta con el usuario #',
  'You cannot disable your own account': 'No puede desactivar su propia cuenta',
  'Only admins grant roles': 'Solo los administradores asignan roles',
  'This requires ops or admin': 'Hace falta el rol ops o admin',
  'This requires admin': 'Hace falta el rol admin',
  'This app belongs to another user': 'Esta aplicación es de otro usuario',
  'The session token is not valid or has expired: sign in again':
    'La sesión no es válida o ha caducado: vuelva a iniciar sesión',
  'Only a failed job can be retried': 'Solo se pueden repetir los trabajos fallidos',
  'Only a failed import can be retried, and only while its file is not being imported already':
    'Solo se pueden repetir las importaciones fallidas, y solo si su archivo no se está importando ya',
  'An app has at most # members: remove one first': 'Una aplicación tiene como máximo # miembros: quite uno antes',
  'An app has at most # pending invitations: revoke one first':
    'Una aplicación tiene como máximo # invitaciones pendientes: revoque una antes',
  'A user can have at most # personal tokens: delete one first':
    'Un usuario puede tener como máximo # tokens personales: elimine uno antes',
  'A user can have at most # shared maps: delete one first':
    'Un usuario puede tener como máximo # mapas compartidos: elimine uno antes',
  'The username # is taken': 'El nombre de usuario # ya está en uso',
  'Your password was changed at the same time: try again with the present one':
    'Su contraseña se cambió al mismo tiempo: inténtelo de nuevo con la actual',
  'You have no password here: you sign in at your identity provider':
    'Aquí no tiene contraseña: inicia sesión con su proveedor de identidad',
  'This user was deleted': 'Este usuario fue eliminado',
  'This upload has expired: announce the file again': 'Esta subida ha caducado: vuelva a elegir el archivo',
  'Your previous export is still being sent: finish or cancel its download first':
    'Su exportación anterior aún se está enviando: termine o cancele antes su descarga',
  'This player is banned and gets no token': 'Este jugador está bloqueado y no recibe ningún token',
  'This model has been converted, is being converted, or its files are gone':
    'Este modelo ya se convirtió, se está convirtiendo o sus archivos ya no existen',
  'This link was used: sign in with the account that it created':
    'Este enlace ya se usó: inicie sesión con la cuenta que se creó con él',
}
