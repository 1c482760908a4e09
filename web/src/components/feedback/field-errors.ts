import { CairnError, type Issue } from '@cairn/sdk'
import { type RefObject, useEffect } from 'react'
import { messages } from '../../messages/index.ts'
import { errorMessage } from './failure.tsx'

/** The service's error messages by field, keyed by the first part of the issue path. */
export const fieldErrors = (error: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(issuesOf(error).map((issue) => [String(issue.path[0]), inWords(issue)]))

/** The error message for the form as a whole; undefined if every issue belongs to one of `fields`. */
export function formError(error: unknown, fields: string[]): string | undefined {
  if (!error) return undefined
  const issues = issuesOf(error)
  const isShown = issues.length > 0 && issues.every(({ path }) => fields.includes(String(path[0])))
  return isShown ? undefined : errorMessage(error)
}

/** Empty text is the most common error and has the least helpful message. */
const inWords = ({ code, origin, minimum, message }: Issue) =>
  code === 'too_small' && origin === 'string' && minimum === 1 ? messages.common.needed : message

const issuesOf = (error: unknown) => (error instanceof CairnError ? error.issues : [])

/** Focuses the first invalid field when `cause` changes to a truthy value. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, cause: unknown): void {
  useEffect(() => {
    if (cause) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, cause])
}
