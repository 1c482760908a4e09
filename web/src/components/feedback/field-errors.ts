import { CairnError, type Issue } from '@cairn/sdk'
import { type RefObject, useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import { errorMessage } from './failure.tsx'

/** What the service said of each field, by the first part of its path, to show under the field. */
export const fieldErrors = (error: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(issuesOf(error).map((issue) => [String(issue.path[0]), inWords(issue)]))

/** What is wrong beside that: undefined where all of it is under fields. @param fields those that the form has */
export function formError(error: unknown, fields: string[]): string | undefined {
  if (!error) return undefined
  const issues = issuesOf(error)
  const isShown = issues.length > 0 && issues.every(({ path }) => fields.includes(String(path[0])))
  return isShown ? undefined : errorMessage(error)
}

/** An empty text is the commonest fault, and its sentence the least plain. */
const inWords = ({ code, origin, minimum, message }: Issue) =>
  code === 'too_small' && origin === 'string' && minimum === 1 ? messages.states.needed : message

const issuesOf = (error: unknown) => (error instanceof CairnError ? error.issues : [])

/** Puts the focus on the first field of a form that is wrong, once it is drawn as such. @param cause what may have made one wrong: each new one that is something looks anew */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, cause: unknown): void {
  useEffect(() => {
    if (cause) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, cause])
}
