"""What every op rests on: traces of functions under construction, floating-point guards, warnings, graph errors."""
