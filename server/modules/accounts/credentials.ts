import { foldName } from '../../platform/names.ts'

const SHORTEST = 8
const LONGEST = 1024
const LONGEST_LOGIN = 100

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

/** Returns the login as it is stored: trimmed and in NFC. @throws a sentence if it is not valid */
export function checkedLogin(text: string): string {
  const login = text.trim().normalize('NFC')
  if (login === '') throw new Error('Enter a login')
  if ([...login].length > LONGEST_LOGIN) throw new Error(`A login can have at most ${LONGEST_LOGIN} characters`)
  if (!login.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(login))
    throw new Error('A login must not contain control or invisible characters')
  return login
}

/**
 * Returns why a new password is not acceptable, or undefined if it is. Only length is required, no mixture of
 * characters (NIST SP 800-63B §3.1.1.2); the most common passwords are refused.
 */
export function passwordFault(password: string, login: string): string | undefined {
  const length = [...password].length
  if (length < SHORTEST) return `The password must have at least ${SHORTEST} characters`
  if (length > LONGEST) return `The password can have at most ${LONGEST} characters`
  if (!password.isWellFormed() || password.includes('\0')) return 'The password must be Unicode text without NUL'
  if (foldName(password) === foldName(login)) return 'The password must not be the login'
  if (COMMON.has(foldName(password))) return 'This is one of the most common passwords: choose another'
  return undefined
}
