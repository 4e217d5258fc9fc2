/** A JSON object as stored on disk: any field may be missing or of any type. */
export type RawObject = { readonly [field: string]: unknown }

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The newest supported Gemini CLI version. */
export const KNOWN_CLI_VERSION = '0.61.0'

/** Every name that a known CLI version (0.4.0 to 0.61.0) writes. All others are format drift. */
export const KNOWN_NAMES: Record<
  | 'metadata'
  | 'metadataKind'
  | 'patch'
  | 'message'
  | 'messageType'
  | 'part'
  | 'thought'
  | 'toolCall'
  | 'toolStatus',
  ReadonlySet<string>
> = {
  metadata: new Set([
    'sessionId',
    'projectHash',
    'startTime',
    'lastUpdated',
    'messages',
    'summary',
    'directories',
    'kind',
    'memoryScratchpad',
    'activeExtensionName',
    // Leaked by later versions when they rewrite an old .json.
    'userMessageCount',
    'messageCount',
    'hasResumableContent',
    'hasUserOrAssistantMessage',
    'firstUserMessage',
    'memoryScratchpadIsStale',
    // Ours: `gemini-dash move`.
    'movedFrom',
  ]),
  metadataKind: new Set(['main', 'subagent']),
  // After 0.61.
  patch: new Set(['id', 'content', 'toolCalls', 'updates', 'removeIds', 'orderIds']),
  message: new Set([
    'id',
    'timestamp',
    'type',
    'content',
    'displayContent',
    'toolCalls',
    'thoughts',
    'tokens',
    'model',
  ]),
  messageType: new Set(['user', 'gemini', 'info', 'error', 'warning']),
  part: new Set([
    'text',
    'thought',
    'thoughtSignature',
    'inlineData',
    'fileData',
    'functionCall',
    'functionResponse',
    'executableCode',
    'codeExecutionResult',
    'videoMetadata',
    'mediaResolution',
  ]),
  // The last three: as a part of `content`, which later versions may write.
  thought: new Set(['subject', 'description', 'timestamp', 'text', 'thought', 'thoughtSignature']),
  toolCall: new Set([
    'id',
    'name',
    'args',
    'result',
    'status',
    'timestamp',
    'agentId',
    'displayName',
    'description',
    'resultDisplay',
    'renderOutputAsMarkdown',
  ]),
  toolStatus: new Set([
    'success',
    'error',
    'cancelled',
    'validating',
    'scheduled',
    'executing',
    'awaiting_approval',
    // No version writes it; it is in a format description used by other tools.
    'pending',
  ]),
}
