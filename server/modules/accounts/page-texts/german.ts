import { html } from '../../../platform/html/html.ts'
import type { PageTexts } from './english.ts'
import { LONGEST_LOGIN, PASSWORD } from './limits.ts'

const wait = (seconds: number) => (seconds > 90 ? `${Math.ceil(seconds / 60)} Minuten` : `${seconds} Sekunden`)

export const german: PageTexts = {
  signIn: 'Anmelden',
  signInError: 'Fehler: Anmelden',
  login: 'Anmeldename',
  password: 'Passwort',
  forProgram: 'Ein Programm auf diesem Gerät bittet Sie, sich anzumelden.',
  withAccount: 'Mit Ihrem Konto bei diesem Cairn.',
  nobodyYet: (command) =>
    html`Es gibt noch keine Konten. Den ersten Admin legen Sie mit dem Einmal-Link an, den Cairn bei jedem Start ausgibt, bis er benutzt ist. Auf der Kommandozeile legt <code>${command} user add</code> Konten an.`,
  wrong: 'Anmeldename oder Passwort ist falsch',
  disabled: 'Dieses Konto ist deaktiviert: Wenden Sie sich an einen Admin dieses Cairn',
  tooMany: {
    login: (seconds) =>
      `Zu viele fehlgeschlagene Anmeldungen mit diesem Anmeldenamen: Versuchen Sie es in ${wait(seconds)} noch einmal`,
    address: (seconds) =>
      `Zu viele fehlgeschlagene Anmeldungen von dieser Adresse: Versuchen Sie es in ${wait(seconds)} noch einmal`,
  },
  busy: 'Gerade melden sich zu viele an: Versuchen Sie es in einigen Sekunden noch einmal',
  later: 'Zu viele Anfragen aus diesem Netz: Versuchen Sie es in einer Minute noch einmal',

  failed: 'Das hat nicht geklappt',
  startAgain: 'Neu beginnen',
  expired: 'Diese Anmeldung ist abgelaufen, oder sie wurde in einem anderen Browser oder ohne Cookies begonnen',
  incomplete: (why) => `Die Anmeldung wurde nicht abgeschlossen (${why ?? 'ohne Code'})`,
  otherSignIn: 'Diese Antwort gehört zu einer anderen Anmeldung',
  done: 'Diese Anmeldung ist schon abgeschlossen oder hat zu lange gedauert',
  refused: 'Anmeldung fehlgeschlagen',
  refusedWhy: (why) => `Die Anmeldung wurde abgelehnt: ${why}.`,
  elsewhere: (issuers) => `Melden Sie sich beim eingerichteten Anbieter an: ${issuers}.`,
  nowhere: 'Die Anmeldung ist nicht eingerichtet: Setzen Sie CAIRN_OIDC oder CAIRN_BOX_ISSUER=on.',

  allow: 'Einem Programm die Anmeldung erlauben',
  allowAs: (login) => `Einem Programm erlauben, sich als ${login} anzumelden?`,
  allowText:
    'Ein Programm auf diesem Gerät bittet um Ihre Sitzung. Fahren Sie nur fort, wenn Sie es gerade gestartet haben; schließen Sie sonst diese Seite.',
  doAllow: 'Erlauben',

  signedIn: 'Angemeldet',
  signedInAs: (login) => `Angemeldet als ${login}`,
  tokenText: (time) =>
    html`Wer dieses Token hat, kann bis ${time} in Ihrem Namen handeln. Diese Seite zeigt es nicht noch einmal.`,
  token: 'Sitzungstoken',
  copyToken: 'Token kopieren',
  createApp: 'Eine App anlegen',
  setToken: (variable) => html`Setzen Sie zuerst ${variable} auf das Token.`,
  copyCommand: 'Befehl kopieren',
  copied: 'Kopiert',
  openConsole: 'Konsole öffnen',
  signOutHere: 'In diesem Browser abmelden',

  signOut: 'Abmelden',
  signOutOf: 'Von diesem Cairn abmelden?',
  signOutText: 'Sitzungstoken, die Sie kopiert haben, gelten, bis sie ablaufen.',
  stay: 'Angemeldet bleiben',
  signedOut: 'Abgemeldet',
  signedOutText: 'Sie sind von diesem Cairn abgemeldet.',

  firstAdmin: 'Den ersten Admin anlegen',
  firstAdminError: 'Fehler: Den ersten Admin anlegen',
  firstAdminText: (command) =>
    html`Dieses Konto verwaltet die Installation. Weitere legen Sie in der Konsole oder mit <code>${command} user add</code> an.`,
  passwordHint: `Mindestens ${PASSWORD.least} Zeichen. Länger ist besser als komplizierter.`,
  again: 'Passwort wiederholen',
  differ: 'Die beiden Passwörter sind verschieden',
  create: 'Konto anlegen',
  setPassword: 'Passwort wählen',
  setPasswordError: 'Fehler: Passwort wählen',
  setPasswordText: (login) => html`Für Ihr Konto <strong>${login}</strong> auf diesem Cairn.`,
  doSetPassword: 'Passwort setzen',
  openLinkAgain: 'Diese Seite ist abgelaufen, oder der Browser lehnt Cookies ab: Öffnen Sie den Link noch einmal',
  invalidPasswordLink:
    'Er wurde benutzt oder ersetzt, ist abgelaufen oder nicht vollständig kopiert. Bitten Sie um einen neuen.',
  invalidLink: 'Dieser Link gilt nicht',
  links: {
    used: 'Er wurde benutzt: Der erste Admin ist angelegt.',
    ended: 'Ein späterer Start hat einen neueren Link ausgegeben, oder ein Konto oder Admin wurde angelegt.',
    unknown: 'Dieser Cairn hat ihn nicht erstellt. Kopieren Sie den ganzen Link aus der Ausgabe des Dienstes.',
  },
  faults: {
    noLogin: 'Geben Sie einen Anmeldenamen ein',
    longLogin: `Ein Anmeldename darf höchstens ${LONGEST_LOGIN} Zeichen haben`,
    invisible: 'Ein Anmeldename darf keine Steuerzeichen und keine unsichtbaren Zeichen enthalten',
    short: `Das Passwort muss mindestens ${PASSWORD.least} Zeichen haben`,
    long: `Das Passwort darf höchstens ${PASSWORD.most} Zeichen haben`,
    notText: 'Das Passwort muss Unicode-Text ohne NUL sein',
    sameAsLogin: 'Das Passwort darf nicht der Anmeldename sein',
    common: 'Das ist eines der häufigsten Passwörter: Wählen Sie ein anderes',
  },
}
