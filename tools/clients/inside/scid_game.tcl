# Runs inside Scid, by its own Tcl: opens its window, answers its dialog of a serious game, and plays the other side.
# Run: tkscid scid_game.tcl ENGINE MOVES SEED

namespace eval player {}
lassign $argv player::engine player::moves player::seed
set argv {}
set argc 0
source [file join [file dirname [info nameofexecutable]] scid]

proc trouble {words} {
    puts stderr "scid_game: $words"
    exit 1
}
proc bgerror {words} { trouble "$words: $::errorInfo" }

proc play_game {} {
    catch { destroy .tipsWin }
    # name, command, arguments, folder, Elo, time, URL, is it UCI, options
    set ::engines(list) [list [list quiesce $::player::engine "" [file dirname $::player::engine] "" 0 "" 1 {}]]
    set ::sergame::chosenEngine 0
    set ::sergame::startFromCurrent 0
    set ::sergame::isOpening 0
    set ::sergame::useBook 0
    set ::sergame::coachIsWatching 0
    set ::sergame::ponder 1
    set ::sergame::timeMode timebonus
    foreach {name value} {wtime3 60000 btime3 60000 winc3 1000 binc3 1000} { set ::uci::uciInfo($name) $value }
    ::sergame::config
    after 500 { .configSerGameWin.fbuttons.close invoke }
    after 1500 play_move
}

proc play_move {} {
    if {![info exists ::playMode]} { after 300 play_move; return } ;# the engine is still starting
    if {$::player::moves <= 0} {
        after 1000 analyse
        return
    }
    if {[sc_pos side] eq $::sergame::playerColor && [llength [sc_pos moves]] > 0} {
        set ::player::seed [expr {($::player::seed * 1103515245 + 12345) % 2147483648}]
        set found [sc_pos moves]
        set move [lindex $found [expr {$::player::seed / 65536 % [llength $found]}]]
        sc_move addSan $move
        set ::sergame::lastPlayerMoveUci [sc_game info previousMoveUCI] ;# as a move by the mouse does
        updateBoard -pgn -animate
        incr ::player::moves -1
    }
    after 300 play_move
}

proc analyse {} {
    ::sergame::abortGame
    set window [::enginewin::start "" quiesce]
    after 2500 { ::move::Back }
    after 3000 { ::move::Back }
    after 3200 { ::move::Back }
    after 5500 { puts "scid_game: done"; flush stdout }
    after 8500 { destroy . }
}

after 2000 play_game
