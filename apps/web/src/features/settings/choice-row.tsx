import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { KeptChoice } from '../../lib/browser/kept-choice.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { SettingRow } from './settings-section.tsx'

interface Props<Value extends string> {
  name: string
  why?: string
  choice: KeptChoice<Value>
  options: readonly { value: Value; label: string }[]
}

/** One of a few values that the browser keeps. */
export function ChoiceRow<Value extends string>({ name, why, choice, options }: Props<Value>) {
  const value = useChoice(choice)
  const idOf = (each: Value) => `${name.toLowerCase().replaceAll(' ', '-')}-${each}`
  return (
    <SettingRow name={name} why={why}>
      <Segmented
        label={name}
        value={value}
        options={options}
        idOf={idOf}
        onChange={(next) => {
          // another zone or clock has the whole page drawn anew, this button too
          flushSync(() => choice.set(next))
          document.getElementById(idOf(next))?.focus({ preventScroll: true })
        }}
      />
    </SettingRow>
  )
}

export function useChoice<Value>(choice: KeptChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.get)
}
