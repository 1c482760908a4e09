import { Button, Group } from '@mantine/core'
import { messages } from '../../messages/index.ts'

type Props = { submitLabel: string; isBusy: boolean; isDisabled?: boolean; onCancel: () => void }

/** The cancel and submit buttons of a form in a dialog. */
export const FormActions = ({ submitLabel, isBusy, isDisabled = false, onCancel }: Props) => (
  <Group justify="flex-end" gap={8}>
    <Button onClick={onCancel}>{messages.common.cancel}</Button>
    <Button type="submit" variant="filled" loading={isBusy} disabled={isDisabled}>
      {submitLabel}
    </Button>
  </Group>
)
