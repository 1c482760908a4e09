import { ActionIcon, Button, CopyButton as Copying } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { messages } from '../../messages/index.ts'

const { copy, copied, copyWhat } = messages.common

/** Copies `value` to the clipboard. @param what names the value for screen readers @param label shows a word beside the icon */
export function CopyButton({ value, what, label }: { value: string; what: string; label?: boolean }) {
  return (
    <Copying value={value}>
      {({ copied: isCopied, copy: take }) => {
        const icon = isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
        return label ? (
          <Button size="xs" leftSection={icon} onClick={take} aria-label={isCopied ? copied : copyWhat(what)}>
            {isCopied ? copied : copy}
          </Button>
        ) : (
          <ActionIcon size={26} aria-label={isCopied ? copied : copyWhat(what)} onClick={take}>
            {icon}
          </ActionIcon>
        )
      }}
    </Copying>
  )
}

/** An ID, truncated if long, with a copy button. */
export const CopyableId = ({ value, what = 'id' }: { value: string | number; what?: string }) => (
  <span className="row" style={{ gap: 2 }}>
    <code className="truncate" title={String(value)} data-copy-id>
      {value}
    </code>
    <CopyButton value={String(value)} what={what} />
  </span>
)
