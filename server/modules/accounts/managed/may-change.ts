/** Whether somebody with these roles may change the account of somebody with those: admins that of everybody, ops those of all but admins. */
export const mayChange = (own: string[], others: string[]): boolean =>
  own.includes('admin') || (own.includes('ops') && !others.includes('admin'))
