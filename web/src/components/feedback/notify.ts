import { notifications } from '@mantine/notifications'
import { messages } from '../../messages/index.ts'
import { errorMessage } from './failure.tsx'

/** Notifies the user of a success that is not visible on screen. */
export const notifySuccess = (message: string) => notifications.show({ message, color: 'tarn' })

/** Notifies the user, once at a time, of something that is replaced by something else. */
export const notifyWarning = (title: string, message: string) =>
  notifications.show({ id: title, title, message, color: 'yellow', autoClose: false })

/** Notifies the user of a failure and its reason. */
export const notifyError = (error: unknown, title: string = messages.common.notSaved) =>
  notifications.show({ title, message: errorMessage(error), color: 'red', autoClose: false })
