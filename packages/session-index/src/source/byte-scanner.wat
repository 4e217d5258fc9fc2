;; Two loops over bytes, 16 at a time, which JavaScript has no instructions for: see docs/decisions/webassembly.md.
;; Every build compiles this file (scripts/define-byte-scanner.ts) and puts it into byte-scanner.ts.
(module
  ;; 19 pages of 64 KB: two of tables, the chunk of 1 MB, and one behind it, as the loops look beyond the last byte.
  (memory (export "memory") 19)

  ;; Where the tables of a search lie. Wanted bytes, up to 256.
  (global $wanted (export "wanted") i32 (i32.const 0))
  ;; For each of them the bits that do not matter, set.
  (global $ignored (export "ignored") i32 (i32.const 256))
  ;; By byte: 1 where it may stand before a break within a match.
  (global $before (export "before") i32 (i32.const 512))
  ;; By byte: 1 where it may stand behind the quote that ends the first part of a match.
  (global $behindQuote (export "behindQuote") i32 (i32.const 768))
  ;; By the first two bytes of a character: 1 where it may be a letter of a match, 2 where it may stand between two.
  (global $characters (export "characters") i32 (i32.const 65536))
  ;; The bytes to look at.
  (global (export "chunk") i32 (i32.const 131072))

  ;; Where the wanted bytes stand, from $at on, beginning before $end; -1 if they do not. $length is how many they are.
  ;; Two of them, $first and $second, are looked for in 16 places at once, and where both fit, all are compared.
  (func (export "find") (param $at i32) (param $end i32) (param $length i32) (param $first i32) (param $second i32)
    (result i32)
    (local $hits i32) (local $place i32) (local $index i32)
    (local $firstByte v128) (local $firstIgnored v128) (local $secondByte v128) (local $secondIgnored v128)
    (local.set $firstByte (i8x16.splat (i32.load8_u (i32.add (global.get $wanted) (local.get $first)))))
    (local.set $firstIgnored (i8x16.splat (i32.load8_u (i32.add (global.get $ignored) (local.get $first)))))
    (local.set $secondByte (i8x16.splat (i32.load8_u (i32.add (global.get $wanted) (local.get $second)))))
    (local.set $secondIgnored (i8x16.splat (i32.load8_u (i32.add (global.get $ignored) (local.get $second)))))
    (loop $look
      (if (i32.ge_s (local.get $at) (local.get $end)) (then (return (i32.const -1))))
      ;; One bit for each place where both bytes fit.
      (local.set $hits (i8x16.bitmask (v128.and
        (i8x16.eq (local.get $firstByte) (v128.or (local.get $firstIgnored)
          (v128.load align=1 (i32.add (local.get $at) (local.get $first)))))
        (i8x16.eq (local.get $secondByte) (v128.or (local.get $secondIgnored)
          (v128.load align=1 (i32.add (local.get $at) (local.get $second))))))))
      (block $noHit
        (loop $nextHit
          (br_if $noHit (i32.eqz (local.get $hits)))
          (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $hits))))
          (if (i32.ge_s (local.get $place) (local.get $end)) (then (return (i32.const -1))))
          ;; Drops the lowest bit.
          (local.set $hits (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
          (local.set $index (i32.const 0))
          (block $differs
            (loop $compare
              (if (i32.ge_s (local.get $index) (local.get $length)) (then (return (local.get $place))))
              (br_if $differs (i32.ne
                (i32.load8_u (i32.add (global.get $wanted) (local.get $index)))
                (i32.or
                  (i32.load8_u (i32.add (global.get $ignored) (local.get $index)))
                  (i32.load8_u (i32.add (local.get $place) (local.get $index))))))
              (local.set $index (i32.add (local.get $index) (i32.const 1)))
              (br $compare)))
          (br $nextHit)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $look))
    (unreachable))

  ;; The next place, from $at on and before $end, from which on a match may be written in another way than by its own
  ;; bytes: a character that says a letter or nothing, an escape of one, or the end of a string; -1 if there is none.
  (func (export "nextBreak") (param $at i32) (param $end i32) (result i32)
    (local $hits i32) (local $place i32) (local $byte i32) (local $relevance i32) (local $bytes v128)
    (loop $look
      (if (i32.ge_s (local.get $at) (local.get $end)) (then (return (i32.const -1))))
      (local.set $bytes (v128.load align=1 (local.get $at)))
      ;; One bit for each place where `\u`, a quote, or a character of several bytes (0xc0 and above) begins.
      (local.set $hits (i8x16.bitmask (v128.or
        (v128.or
          (v128.and
            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))
            (i8x16.eq (v128.load offset=1 align=1 (local.get $at)) (i8x16.splat (i32.const 0x75))))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22))))
        (i8x16.ge_u (local.get $bytes) (i8x16.splat (i32.const 0xc0))))))
      (block $noHit
        (loop $nextHit
          (br_if $noHit (i32.eqz (local.get $hits)))
          (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $hits))))
          (if (i32.ge_s (local.get $place) (local.get $end)) (then (return (i32.const -1))))
          (local.set $hits (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
          (local.set $byte (i32.load8_u (local.get $place)))
          (if (i32.ge_s (local.get $byte) (i32.const 0xc0)) (then
            (local.set $relevance (i32.load8_u (i32.add (global.get $characters) (i32.or
              (i32.shl (local.get $byte) (i32.const 8))
              (i32.load8_u offset=1 (local.get $place))))))
            (if (i32.and (local.get $relevance) (i32.const 1)) (then (return (local.get $place))))
            (if (i32.and (i32.ne (local.get $relevance) (i32.const 0)) (call $mayStandBefore (local.get $place)))
              (then (return (local.get $place))))
            (br $nextHit)))
          (if (i32.eq (local.get $byte) (i32.const 0x22)) (then
            (if (i32.and
                (call $mayStandBefore (local.get $place))
                (i32.load8_u (i32.add (global.get $behindQuote) (i32.load8_u offset=1 (local.get $place)))))
              (then (return (local.get $place))))
            (br $nextHit)))
          ;; Of escapes only those of control characters, `\u000.` and `\u001.`, are none of a match.
          (if (i32.eqz (call $isControlEscape (local.get $place))) (then (return (local.get $place))))
          (br $nextHit)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $look))
    (unreachable))

  ;; May the byte in front of $place stand before a break within a match?
  (func $mayStandBefore (param $place i32) (result i32)
    (i32.load8_u (i32.add (global.get $before)
      (i32.load8_u (i32.sub (local.get $place) (i32.const 1))))))

  (func $isControlEscape (param $place i32) (result i32)
    (i32.and
      (i32.and
        (i32.eq (i32.load8_u offset=2 (local.get $place)) (i32.const 0x30))
        (i32.eq (i32.load8_u offset=3 (local.get $place)) (i32.const 0x30)))
      (i32.lt_u (i32.load8_u offset=4 (local.get $place)) (i32.const 0x32)))))
