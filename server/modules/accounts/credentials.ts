import { hash } from 'node:crypto'
import { foldName } from '../../platform/names.ts'
import { type CredentialFault, english } from './page-texts/english.ts'
import { LONGEST_LOGIN, PASSWORD } from './page-texts/limits.ts'

/** The most common passwords of published leaks that are long enough to be accepted, in lower case. */
const COMMON = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 0123456789
   87654321 987654321 11111111 00000000 88888888 66666666 99999999 12341234 123123123 112233445566 11223344 123321123
   qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 asdfghjkl asdfasdf
   zxcvbnm1 abcd1234 abcdefgh abc12345 a1b2c3d4 aaaaaaaa iloveyou iloveyou1 sunshine princess football baseball
   superman batman123 trustno1 letmein1 letmein123 welcome1 welcome123 whatever starwars computer internet michelle
   jennifer samantha jordan23 liverpool charlie1 dragon123 monkey123 master123 shadow123 pokemon1 changeme changeme1
   changeme123 administrator admin123 admin1234 adminadmin root1234 rootroot test1234 testtest secret123 default1
   security passport cairn123 cairncairn`.split(/\s+/),
)

/** SHA-256 of the code in a link. The code itself, of 256 random bits, is not stored. */
export const hashOfCode = (code: string): Buffer => hash('sha256', code, 'buffer')

const storedLogin = (text: string) => text.trim().normalize('NFC')

/** Returns the login as it is stored: trimmed and in NFC. @throws a sentence if it is not valid */
export function checkedLogin(text: string): string {
  const fault = loginFault(text)
  if (fault) throw new Error(english.faults[fault])
  return storedLogin(text)
}

/** Returns why a login is not acceptable, or undefined if it is. */
export function loginFault(text: string): CredentialFault | undefined {
  const login = storedLogin(text)
  if (login === '') return 'noLogin'
  if ([...login].length > LONGEST_LOGIN) return 'longLogin'
  if (!login.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(login)) return 'invisible'
  return undefined
}

/**
 * Returns why a new password is not acceptable, or undefined if it is. Only length is required, no mixture of
 * characters (NIST SP 800-63B §3.1.1.2); the most common passwords are refused.
 */
export function passwordFault(password: string, login: string): CredentialFault | undefined {
  const length = [...password].length
  if (length < PASSWORD.least) return 'short'
  if (length > PASSWORD.most) return 'long'
  if (!password.isWellFormed() || password.includes('\0')) return 'notText'
  if (foldName(password) === foldName(login)) return 'sameAsLogin'
  if (COMMON.has(foldName(password))) return 'common'
  return undefined
}
