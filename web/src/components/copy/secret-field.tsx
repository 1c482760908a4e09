import { ActionIcon } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '../../messages/index.ts'
import { notifyError } from '../feedback/notify.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './secret-field.module.css'

/** The prefix of a secret that stays visible, such as `cairn_7Qk2mZpA_` or `whsec_`. */
export const secretPrefix = (secret: string): string => /^(cairn_[^_]+_|[a-z]+_)/.exec(secret)?.[0] ?? ''

/** The characters of a key after its prefix. */
const HIDDEN_LENGTH = 38

/** A masked secret with buttons to show and copy it. @param isOpen shown initially */
export function SecretField({
  value: given,
  what,
  isOpen = false,
  reveal,
}: {
  value: string
  what: string
  isOpen?: boolean
  /** Loads the secret when it is shown or copied. Without it, `value` is the secret; with it, `value` is its masked form. */
  reveal?: () => Promise<string>
}) {
  const [isShown, setIsShown] = useState(isOpen)
  const [loaded, setLoaded] = useState<string>()
  const value = loaded ?? given
  const beginning = secretPrefix(value)
  const load = async (): Promise<string> => {
    const secret = loaded ?? (await reveal?.()) ?? given
    setLoaded(secret)
    return secret
  }
  const toggle = () => {
    if (isShown) return setIsShown(false)
    load().then(() => setIsShown(true), notifyError)
  }
  const Icon = isShown ? IconEyeOff : IconEye
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{what}</legend>
      <div className={classes.field}>
        <code className={`${classes.value} ${isShown ? classes.shown : 'truncate'}`}>
          {isShown ? (
            value
          ) : (
            <>
              {beginning}
              <span className={classes.hidden} aria-hidden>
                {'•'.repeat(reveal ? HIDDEN_LENGTH : value.length - beginning.length)}
              </span>
            </>
          )}
        </code>
        <ActionIcon
          size={30}
          aria-label={isShown ? messages.common.hideWhat(what) : messages.common.showWhat(what)}
          onClick={toggle}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
        <CopyButton value={value} what={what} label {...(reveal && !loaded ? { load } : {})} />
      </div>
    </fieldset>
  )
}
