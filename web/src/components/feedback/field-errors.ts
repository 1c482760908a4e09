import { CairnError } from '@cairn/sdk'
import { type RefObject, useEffect } from 'react'
import { errorMessage } from './failure.tsx'
import { issueText } from './server-text.ts'

/** The service's error messages by field, keyed by the first part of the issue path. */
export const fieldErrors = (error: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(issuesOf(error).map((issue) => [String(issue.path[0]), issueText(issue) ?? issue.message]))

/** The error message for the form as a whole; undefined if every issue belongs to one of `fields`. */
export function formError(error: unknown, fields: string[]): string | undefined {
  if (!error) return undefined
  const issues = issuesOf(error)
  const isShown = issues.length > 0 && issues.every(({ path }) => fields.includes(String(path[0])))
  return isShown ? undefined : errorMessage(error)
}

const issuesOf = (error: unknown) => (error instanceof CairnError ? error.issues : [])

/** Focuses the first invalid field when `cause` changes to a truthy value. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, cause: unknown): void {
  useEffect(() => {
    if (cause) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, cause])
}
