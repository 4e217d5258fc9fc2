/** Why the index gives no answer, although nothing is wrong with the question. Its message is for the person who asked. */
export class IndexFault extends Error {
  override readonly name = 'IndexFault'

  static ofThread(reason: string): IndexFault {
    const advice = /EMFILE|ENFILE/.test(reason)
      ? 'Raise the limit of open files (ulimit -n), and ask once more.'
      : 'Ask once more in a minute.'
    return new IndexFault(`A thread of the index ended (${reason}) and is started again. ${advice}`)
  }
}
