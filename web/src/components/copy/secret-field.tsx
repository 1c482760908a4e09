import { ActionIcon } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '../../messages/index.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './secret-field.module.css'

/** The prefix of a secret that stays visible, such as `cairn_7Qk2mZpA_` or `whsec_`. */
export const secretPrefix = (secret: string): string => /^(cairn_[^_]+_|[a-z]+_)/.exec(secret)?.[0] ?? ''

/** A masked secret with buttons to show and copy it. @param isOpen shown initially */
export function SecretField({ value, what, isOpen = false }: { value: string; what: string; isOpen?: boolean }) {
  const [isShown, setIsShown] = useState(isOpen)
  const beginning = secretPrefix(value)
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
                {'•'.repeat(value.length - beginning.length)}
              </span>
            </>
          )}
        </code>
        <ActionIcon
          size={30}
          aria-label={isShown ? messages.common.hideWhat(what) : messages.common.showWhat(what)}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
        <CopyButton value={value} what={what} label />
      </div>
    </fieldset>
  )
}
