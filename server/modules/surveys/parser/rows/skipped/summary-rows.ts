/** Words at the beginning of a row that sums up others, in the languages of headers, without accents. */
const SUMMARY =
  /^(?:grand ?)?(?:(?:sub)?total|average|avg|mean|median|std\.? ?dev(?:iation)?|standard deviation|min(?:imum)?|max(?:imum)?|sum|rmse?|summe|gesamt|mittel(?:wert)?|durchschnitt|standardabweichung|moyenne|somme|ecart[ -]type|promedio|suma|desviacion|media|somma|totale|gemiddelde|totaal|srednia)(?: (?:error|value|of all.{0,20}))? ?[.:=]?$/i

/** Whether a title is one that programs give to a row with the total or the average of the others. */
export const isSummaryTitle = (title: string): boolean =>
  title.length < 40 && SUMMARY.test(title.trim().normalize('NFD').replace(/\p{M}/gu, ''))
