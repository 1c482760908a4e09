import { HttpError } from '../../../platform/errors.ts'
import { english } from '../page-texts/english.ts'

/** 403 for the right password of an account that is disabled. */
export class AccountDisabled extends HttpError {
  constructor() {
    super(403, english.disabled)
  }
}
