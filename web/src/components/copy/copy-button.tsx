import { ActionIcon, Button, CopyButton as Copying } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { messages } from '../../messages/index.ts'
import { notifyError } from '../feedback/notify.ts'

const { copy, copied, copyWhat } = messages.common

/** Copies `value` to the clipboard. @param what names the value for screen readers @param label shows a word beside the icon */
export function CopyButton({
  value,
  what,
  label,
  load,
}: {
  value: string
  what: string
  label?: boolean
  /** Loads what is copied. */
  load?: () => Promise<string>
}) {
  const clipboard = useClipboard()
  return (
    <Copying value={value}>
      {({ copied: isValueCopied, copy: takeValue }) => {
        const isCopied = isValueCopied || clipboard.copied
        const take = () => (load ? void load().then(clipboard.copy, notifyError) : takeValue())
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
