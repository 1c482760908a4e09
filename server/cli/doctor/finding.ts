/** The result of a check: `mend` says what to do, unless it is ok. */
export type Finding = { check: string; state: 'ok' | 'warn' | 'fail'; says: string; mend?: string }

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warn = (check: string, says: string, mend: string): Finding => ({ check, state: 'warn', says, mend })
export const fail = (check: string, says: string, mend: string): Finding => ({ check, state: 'fail', says, mend })
