import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { Page } from 'playwright-core'

/** Calls, inside of a page, the one function that a file of in-page/ has. These files are of the browser, and checked as such. @returns what it returns */
export async function inPage<Result>(
  page: Page,
  name: 'stop-now' | 'unreadable' | 'untouchable' | 'misnamed' | 'cut-placeholders' | 'cramped',
): Promise<Result> {
  const source = stripTypeScriptTypes(await readFile(new URL(`../in-page/${name}.ts`, import.meta.url), 'utf8'))
  return page.evaluate<Result>(`(() => { ${source.replace('export function', 'return function')} })()()`)
}
