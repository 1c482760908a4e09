/** Characters of a password. */
export const PASSWORD = { least: 8, most: 1024 }
/** The most characters of a login. */
export const LONGEST_LOGIN = 100
