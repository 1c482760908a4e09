import { type Html, html } from '../../../platform/html/html.ts'
import { LONGEST_LOGIN, PASSWORD } from './limits.ts'

const wait = (seconds: number) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`)

/** The texts of the pages of sign-in, and of what may be wrong with what is entered there. Sentences of errors have no period. */
export const english = {
  signIn: 'Sign in',
  signInError: 'Error: sign in',
  login: 'Login',
  password: 'Password',
  forProgram: 'A program on this device asks you to sign in.',
  withAccount: 'With your account on this Cairn.',
  nobodyYet: (command: string): Html =>
    html`There are no accounts yet. To create the first admin, use the one-time link that Cairn prints at each start until it is used. You can also create accounts on the command line with <code>${command} user add</code>.`,
  wrong: 'Wrong login or password',
  disabled: 'This account is disabled: ask an admin of this Cairn',
  tooMany: {
    login: (seconds: number) => `Too many failed sign-ins for this login: try again in ${wait(seconds)}`,
    address: (seconds: number) => `Too many failed sign-ins from this address: try again in ${wait(seconds)}`,
  },
  busy: 'Too many people are signing in: try again in a few seconds',
  later: 'Too many requests from this network: try again in a minute',

  failed: 'Something went wrong',
  startAgain: 'Start again',
  expired: 'This sign-in has expired, or was started in another browser or without cookies',
  incomplete: (why: string | undefined) => `The sign-in did not complete (${why ?? 'no code returned'})`,
  otherSignIn: 'This response belongs to another sign-in',
  done: 'This sign-in is already complete, or took too long',
  refused: 'Sign-in failed',
  refusedWhy: (why: string) => `The sign-in was refused: ${why}.`,
  elsewhere: (issuers: string) => `Sign in at the configured provider: ${issuers}.`,
  nowhere: 'Sign-in is not configured: set CAIRN_OIDC, or CAIRN_BOX_ISSUER=on.',

  allow: 'Allow a program to sign in',
  allowAs: (login: string) => `Allow a program to sign in as ${login}?`,
  allowText:
    'A program on this device asks for your session. Continue only if you have just started it; otherwise close this page.',
  doAllow: 'Allow',

  signedIn: 'Signed in',
  signedInAs: (login: string) => `Signed in as ${login}`,
  tokenText: (time: Html): Html =>
    html`Anyone with this token can act as you until ${time}. This page does not show it again.`,
  token: 'Session token',
  copyToken: 'Copy token',
  createApp: 'Create an app',
  setToken: (variable: Html): Html => html`Set ${variable} to the token first.`,
  copyCommand: 'Copy command',
  copied: 'Copied',
  openConsole: 'Open the console',
  signOutHere: 'Sign out of this browser',

  signOut: 'Sign out',
  signOutOf: 'Sign out of this Cairn?',
  signOutText: 'Session tokens that you copied stay valid until they expire.',
  stay: 'Stay signed in',
  signedOut: 'Signed out',
  signedOutText: 'You are signed out of this Cairn.',

  firstAdmin: 'Create the first admin',
  firstAdminError: 'Error: create the first admin',
  firstAdminText: (command: string): Html =>
    html`This account administers this Cairn. Add others in the console, or with <code>${command} user add</code>.`,
  passwordHint: `At least ${PASSWORD.least} characters. Longer is better than more complex.`,
  again: 'Password again',
  differ: 'The two passwords differ',
  create: 'Create account',
  setPassword: 'Choose a password',
  setPasswordError: 'Error: choose a password',
  setPasswordText: (login: string): Html => html`For your account <strong>${login}</strong> on this Cairn.`,
  doSetPassword: 'Set password',
  openLinkAgain: 'This page has expired, or the browser refuses cookies: open the link again',
  invalidPasswordLink: 'It was used or replaced, has expired, or was not copied whole. Ask for a new one.',
  invalidLink: 'This link is not valid',
  links: {
    used: 'It was used: the first admin exists.',
    ended: 'A later start printed a newer link, or an account or admin has been created.',
    unknown: 'This Cairn did not create it. Copy the whole link from the output of the service.',
  },
  faults: {
    noLogin: 'Enter a login',
    longLogin: `A login can have at most ${LONGEST_LOGIN} characters`,
    invisible: 'A login must not contain control or invisible characters',
    short: `The password must have at least ${PASSWORD.least} characters`,
    long: `The password can have at most ${PASSWORD.most} characters`,
    notText: 'The password must be Unicode text without NUL',
    sameAsLogin: 'The password must not be the login',
    common: 'This is one of the most common passwords: choose another',
  },
}
export type PageTexts = typeof english
/** What may be wrong with a login or a password. */
export type CredentialFault = keyof PageTexts['faults']
