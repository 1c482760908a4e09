/** Whether a URL belongs to this service. Content from other hosts is linked, not embedded. */
export const isSameOrigin = (url: string): boolean => new URL(url, location.href).origin === location.origin
