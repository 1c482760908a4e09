import { html } from '../../../platform/html/html.ts'
import type { PageTexts } from './english.ts'
import { LONGEST_LOGIN, PASSWORD } from './limits.ts'

const wait = (seconds: number) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutos` : `${seconds} segundos`)

export const spanish: PageTexts = {
  signIn: 'Iniciar sesión',
  signInError: 'Error: iniciar sesión',
  login: 'Usuario',
  password: 'Contraseña',
  forProgram: 'Un programa de este dispositivo le pide que inicie sesión.',
  withAccount: 'Con su cuenta de este Cairn.',
  nobodyYet: (command) =>
    html`Aún no hay cuentas. Para crear el primer administrador, use el enlace de un solo uso que Cairn muestra en cada inicio hasta que se usa. También puede crear cuentas en la línea de comandos con <code>${command} user add</code>.`,
  wrong: 'El usuario o la contraseña no son correctos',
  disabled: 'Esta cuenta está desactivada: consulte a un administrador de este Cairn',
  tooMany: {
    login: (seconds) => `Demasiados intentos fallidos con este usuario: vuelva a intentarlo dentro de ${wait(seconds)}`,
    address: (seconds) =>
      `Demasiados intentos fallidos desde esta dirección: vuelva a intentarlo dentro de ${wait(seconds)}`,
  },
  busy: 'Demasiadas personas están iniciando sesión: vuelva a intentarlo dentro de unos segundos',
  later: 'Demasiadas solicitudes desde esta red: vuelva a intentarlo dentro de un minuto',

  failed: 'Algo ha fallado',
  startAgain: 'Empezar de nuevo',
  expired: 'Este inicio de sesión ha caducado, o se empezó en otro navegador o sin cookies',
  incomplete: (why) => `El inicio de sesión no se completó (${why ?? 'sin código'})`,
  otherSignIn: 'Esta respuesta pertenece a otro inicio de sesión',
  done: 'Este inicio de sesión ya se completó o tardó demasiado',
  refused: 'No se pudo iniciar sesión',
  refusedWhy: (why) => `El inicio de sesión se rechazó: ${why}.`,
  elsewhere: (issuers) => `Inicie sesión en el proveedor configurado: ${issuers}.`,
  nowhere: 'El inicio de sesión no está configurado: defina CAIRN_OIDC o CAIRN_BOX_ISSUER=on.',

  allow: 'Permitir que un programa inicie sesión',
  allowAs: (login) => `¿Permitir que un programa inicie sesión como ${login}?`,
  allowText:
    'Un programa de este dispositivo pide su sesión. Continúe solo si acaba de iniciarlo; si no, cierre esta página.',
  doAllow: 'Permitir',

  signedIn: 'Sesión iniciada',
  signedInAs: (login) => `Sesión iniciada como ${login}`,
  tokenText: (time) =>
    html`Quien tenga este token puede actuar en su nombre hasta el ${time}. Esta página no lo vuelve a mostrar.`,
  token: 'Token de sesión',
  copyToken: 'Copiar token',
  createApp: 'Crear una aplicación',
  setToken: (variable) => html`Antes, asigne el token a ${variable}.`,
  copyCommand: 'Copiar comando',
  copied: 'Copiado',
  openConsole: 'Abrir la consola',
  signOutHere: 'Cerrar la sesión en este navegador',

  signOut: 'Cerrar sesión',
  signOutOf: '¿Cerrar la sesión en este Cairn?',
  signOutText: 'Los tokens de sesión que haya copiado siguen siendo válidos hasta que caduquen.',
  stay: 'Mantener la sesión',
  signedOut: 'Sesión cerrada',
  signedOutText: 'Ha cerrado la sesión en este Cairn.',

  firstAdmin: 'Crear el primer administrador',
  firstAdminError: 'Error: crear el primer administrador',
  firstAdminText: (command) =>
    html`Esta cuenta administra la instalación. Añada otras en la consola o con <code>${command} user add</code>.`,
  passwordHint: `Al menos ${PASSWORD.least} caracteres. Más larga es mejor que más compleja.`,
  again: 'Repetir la contraseña',
  differ: 'Las dos contraseñas no coinciden',
  create: 'Crear cuenta',
  setPassword: 'Elegir una contraseña',
  setPasswordError: 'Error: elegir una contraseña',
  setPasswordText: (login) => html`Para su cuenta <strong>${login}</strong> en este Cairn.`,
  doSetPassword: 'Guardar contraseña',
  openLinkAgain: 'Esta página ha caducado o el navegador rechaza las cookies: vuelva a abrir el enlace',
  invalidPasswordLink: 'Se usó o se sustituyó, ha caducado o no se copió entero. Pida uno nuevo.',
  invalidLink: 'Este enlace no es válido',
  links: {
    used: 'Ya se usó: el primer administrador existe.',
    ended: 'Un inicio posterior mostró un enlace más reciente, o se ha creado una cuenta o un administrador.',
    unknown: 'Este Cairn no lo creó. Copie el enlace entero de la salida del servicio.',
  },
  faults: {
    noLogin: 'Escriba un usuario',
    longLogin: `Un usuario puede tener como máximo ${LONGEST_LOGIN} caracteres`,
    invisible: 'Un usuario no puede contener caracteres de control ni invisibles',
    short: `La contraseña debe tener al menos ${PASSWORD.least} caracteres`,
    long: `La contraseña puede tener como máximo ${PASSWORD.most} caracteres`,
    notText: 'La contraseña debe ser texto Unicode sin NUL',
    sameAsLogin: 'La contraseña no puede ser el usuario',
    common: 'Es una de las contraseñas más comunes: elija otra',
  },
}
